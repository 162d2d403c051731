#include "shim.h"

#define DEFINE(result, name, parameters, arguments)                                                                    \
  OPENED_HIDDEN result name parameters { return editline_functions()->name arguments; }
#define SKIP(name)

OPENED_LIBRARY(editline_functions, editline_library, "libedit.so.2", EDITLINE_FUNCTIONS)
EDITLINE_FUNCTIONS(DEFINE, SKIP)
