// The simulated sound card as a library for LD_PRELOAD.
#include "../CCard/CCard.c"
