#pragma once
#include <curl/curl.h>

// Wraps what Swift cannot import: variadic functions, one per argument type, and macros with casts.

#define SHIM static inline __attribute__((unused))

SHIM CURLcode curl_easy_setopt_long(CURL *easy, CURLoption option, long value) {
  return (curl_easy_setopt)(easy, option, value);
}

SHIM CURLcode curl_easy_setopt_string(CURL *easy, CURLoption option, const char *value) {
  return (curl_easy_setopt)(easy, option, value);
}

SHIM CURLcode curl_easy_setopt_pointer(CURL *easy, CURLoption option, void *value) {
  return (curl_easy_setopt)(easy, option, value);
}

SHIM CURLcode curl_easy_setopt_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return (curl_easy_setopt)(easy, option, value);
}

SHIM CURLcode curl_easy_setopt_write(CURL *easy, CURLoption option, curl_write_callback value) {
  return (curl_easy_setopt)(easy, option, value);
}

SHIM CURLcode curl_easy_setopt_sockopt(CURL *easy, CURLoption option, curl_sockopt_callback value) {
  return (curl_easy_setopt)(easy, option, value);
}

SHIM CURLcode curl_easy_setopt_opensocket(CURL *easy, CURLoption option, curl_opensocket_callback value) {
  return (curl_easy_setopt)(easy, option, value);
}

SHIM CURLcode curl_easy_setopt_prereq(CURL *easy, CURLoption option, curl_prereq_callback value) {
  return (curl_easy_setopt)(easy, option, value);
}

SHIM CURLcode curl_easy_getinfo_long(CURL *easy, CURLINFO info, long *value) {
  return (curl_easy_getinfo)(easy, info, value);
}

SHIM CURLcode curl_easy_getinfo_string(CURL *easy, CURLINFO info, char **value) {
  return (curl_easy_getinfo)(easy, info, value);
}

SHIM CURLcode curl_easy_getinfo_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return (curl_easy_getinfo)(easy, info, value);
}

SHIM CURLcode curl_easy_getinfo_list(CURL *easy, CURLINFO info, struct curl_slist **value) {
  return (curl_easy_getinfo)(easy, info, value);
}

SHIM CURLSHcode curl_share_setopt_data(CURLSH *share, CURLSHoption option, curl_lock_data value) {
  return (curl_share_setopt)(share, option, value);
}

SHIM CURLcode curl_message_result(const CURLMsg *message) { return message->data.result; }

enum { CURLAUTH_BASIC_LONG = 1L << 0 };
_Static_assert(CURLAUTH_BASIC_LONG == CURLAUTH_BASIC, "the Basic scheme's bit");

#undef SHIM
