#pragma once

/// The commit that this was built from, with `+` if something was changed since; empty when Scripts/build was not used.
const char *build_info_commit(void);
