#include "shim.h"

#define DEFINE(result, name, parameters, arguments)                                                                    \
  OPENED_HIDDEN result name parameters { return curl_functions()->name arguments; }
#define SKIP(name)

OPENED_LIBRARY(curl_functions, curl_library, "libcurl.so.4", CURL_FUNCTIONS)
CURL_FUNCTIONS(DEFINE, SKIP)
