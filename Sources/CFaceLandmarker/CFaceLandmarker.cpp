#include "CFaceLandmarker.h"
