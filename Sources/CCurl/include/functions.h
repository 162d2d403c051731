#pragma once

#include <curl/curl.h>
#include <opened_library.h>

// What is used of libcurl; see opened_library.h.
#define CURL_FUNCTIONS(fixed, variadic)                                                                                \
  fixed(char *, curl_version, (void), ())                                                                              \
  fixed(curl_version_info_data *, curl_version_info, (CURLversion version), (version))                                 \
  fixed(CURLcode, curl_global_init, (long flags), (flags))                                                             \
  fixed(void, curl_free, (void *memory), (memory))                                                                     \
  fixed(CURL *, curl_easy_init, (void), ())                                                                            \
  fixed(void, curl_easy_cleanup, (CURL *easy), (easy))                                                                 \
  fixed(void, curl_easy_reset, (CURL *easy), (easy))                                                                   \
  fixed(const char *, curl_easy_strerror, (CURLcode code), (code))                                                     \
  fixed(const struct curl_easyoption *, curl_easy_option_by_id, (CURLoption option), (option))                         \
  fixed(CURLM *, curl_multi_init, (void), ())                                                                          \
  fixed(CURLMcode, curl_multi_cleanup, (CURLM *multi), (multi))                                                        \
  fixed(CURLMcode, curl_multi_add_handle, (CURLM *multi, CURL *easy), (multi, easy))                                   \
  fixed(CURLMcode, curl_multi_remove_handle, (CURLM *multi, CURL *easy), (multi, easy))                                \
  fixed(CURLMsg *, curl_multi_info_read, (CURLM *multi, int *left), (multi, left))                                     \
  fixed(CURLMcode, curl_multi_socket_action, (CURLM *multi, curl_socket_t socket, int events, int *running),           \
        (multi, socket, events, running))                                                                              \
  fixed(const char *, curl_multi_strerror, (CURLMcode code), (code))                                                   \
  fixed(CURLSH *, curl_share_init, (void), ())                                                                         \
  fixed(CURLSHcode, curl_share_cleanup, (CURLSH *share), (share))                                                      \
  fixed(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), (list, text))             \
  fixed(void, curl_slist_free_all, (struct curl_slist *list), (list))                                                  \
  fixed(CURLU *, curl_url, (void), ())                                                                                 \
  fixed(void, curl_url_cleanup, (CURLU *url), (url))                                                                   \
  fixed(CURLUcode, curl_url_get, (CURLU *url, CURLUPart part, char **text, unsigned int flags),                        \
        (url, part, text, flags))                                                                                      \
  fixed(CURLUcode, curl_url_set, (CURLU *url, CURLUPart part, const char *text, unsigned int flags),                   \
        (url, part, text, flags))                                                                                      \
  fixed(const char *, curl_url_strerror, (CURLUcode code), (code))                                                     \
  variadic(curl_easy_setopt)                                                                                           \
  variadic(curl_easy_getinfo)                                                                                          \
  variadic(curl_multi_setopt)                                                                                          \
  variadic(curl_share_setopt)

OPENED_TABLE(curl_functions, CURL_FUNCTIONS)

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt
#define curl_easy_setopt curl_functions()->curl_easy_setopt
#define curl_easy_getinfo curl_functions()->curl_easy_getinfo
#define curl_multi_setopt curl_functions()->curl_multi_setopt
#define curl_share_setopt curl_functions()->curl_share_setopt
