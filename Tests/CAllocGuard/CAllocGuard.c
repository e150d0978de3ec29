#include "CAllocGuard.h"
