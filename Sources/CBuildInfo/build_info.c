#include "build_info.h"

const char *build_info_commit(void) { return WORKBENCH_COMMIT; }
