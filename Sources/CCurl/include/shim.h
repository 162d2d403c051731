#pragma once

#ifdef __linux__
// libcurl is opened when it is first used.
#include "functions.h"

/// What dlsym takes; NULL if there is no libcurl.
void *curl_library(void);
#else
#include <curl/curl.h>
#include <dlfcn.h>

static inline void *curl_library(void) { return RTLD_DEFAULT; }
#endif

// The variadic calls of libcurl, one for each kind of argument, because Swift cannot call them.

static inline CURLcode curl_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

// Only HTTP and HTTPS, said as libcurl before 7.85 understands it.
static inline CURLcode curl_easy_set_web_protocols(CURL *easy) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#pragma GCC diagnostic pop
}

static inline CURLcode curl_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_easy_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_easy_set_headers(CURL *easy, struct curl_slist *value) {
  return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, value);
}

static inline CURLcode curl_easy_set_url(CURL *easy, CURLU *value) {
  return curl_easy_setopt(easy, CURLOPT_CURLU, value);
}

static inline CURLcode curl_easy_set_transfer(CURL *easy, CURLoption option,
                                              size_t (*value)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_easy_set_seek(CURL *easy, int (*value)(void *, curl_off_t, int)) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}

static inline CURLcode curl_easy_set_progress(CURL *easy, int (*value)(void *, curl_off_t, curl_off_t, curl_off_t,
                                                                       curl_off_t)) {
  return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
}

static inline CURLcode curl_easy_set_debug(CURL *easy, int (*value)(CURL *, curl_infotype, char *, size_t, void *)) {
  return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, value);
}

static inline CURLcode curl_easy_set_prerequest(CURL *easy, int (*value)(void *, char *, char *, int, int)) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode curl_easy_set_socket_opened(CURL *easy, void *context,
                                                   int (*value)(void *, curl_socket_t, curlsocktype)) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, context);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, value) : code;
}

static inline CURLcode curl_easy_set_socket_closing(CURL *easy, void *context, int (*value)(void *, curl_socket_t)) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value) : code;
}

static inline CURLcode curl_easy_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode curl_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode curl_easy_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);
}

// The lines that describe the server's own certificate; none when this transfer made no connection.
static inline struct curl_slist *curl_easy_certificate(CURL *easy) {
  struct curl_certinfo *chain = 0;
  if (curl_easy_getinfo(easy, CURLINFO_CERTINFO, &chain) != CURLE_OK || !chain || chain->num_of_certs < 1) return 0;
  return chain->certinfo[0];
}

static inline CURLMcode curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLSHcode curl_share_set_long(CURLSH *share, CURLSHoption option, long value) {
  return curl_share_setopt(share, option, value);
}

static inline CURLMcode curl_multi_set_socket(CURLM *multi, void *context,
                                              int (*value)(CURL *, curl_socket_t, int, void *, void *)) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  return code == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value) : code;
}

static inline CURLMcode curl_multi_set_timer(CURLM *multi, void *context, int (*value)(CURLM *, long, void *)) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  return code == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value) : code;
}

static inline void *curl_message_handle(CURLMsg *message) { return message->easy_handle; }
static inline CURLcode curl_message_result(CURLMsg *message) { return message->data.result; }
