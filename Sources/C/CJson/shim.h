#pragma once
#include <cjson/cJSON.h>
