#pragma once

/// Gives the program's own addresses the place where the program was loaded. A release is linked so that the system
/// calls this before anything of the program runs (Scripts/build); nothing else does.
void apply_packed_relocations(void);
