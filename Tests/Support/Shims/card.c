// The bench's sound card for a program of its own.
#include "../CCard/CCard.c"
