// The least that libcurl can be asked to do: one handle, used again and again. What a client adds is measured against it.
//
//     curl-loop get URL COUNT
//     curl-loop parallel URL COUNT WIDTH
//     curl-loop put URL FILE
//
// Prints the seconds it took.

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static size_t discard(char *bytes, size_t size, size_t count, void *context) { return size * count; }

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static CURL *handle(const char *url) {
  CURL *easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  return easy;
}

static void fail(CURLcode code) {
  fprintf(stderr, "%s\n", curl_easy_strerror(code));
  exit(1);
}

static void get(const char *url, long count) {
  CURL *easy = handle(url);
  for (long i = 0; i < count; i++) {
    CURLcode code = curl_easy_perform(easy);
    if (code) fail(code);
  }
  curl_easy_cleanup(easy);
}

static void parallel(const char *url, long count, int width) {
  CURLM *multi = curl_multi_init();
  long begun = 0, done = 0;
  for (int i = 0; i < width && begun < count; i++, begun++) curl_multi_add_handle(multi, handle(url));
  while (done < count) {
    int running, left;
    curl_multi_perform(multi, &running);
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
      CURL *easy = message->easy_handle;
      if (message->data.result) fail(message->data.result);
      curl_multi_remove_handle(multi, easy);
      done++;
      if (begun < count) {
        curl_multi_add_handle(multi, easy);
        begun++;
      } else {
        curl_easy_cleanup(easy);
      }
    }
    if (done < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  curl_multi_cleanup(multi);
}

static void put(const char *url, const char *path) {
  FILE *file = fopen(path, "rb");
  struct stat status;
  if (!file || stat(path, &status)) exit(1);
  CURL *easy = handle(url);
  curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
  curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 65536L);
  curl_easy_setopt(easy, CURLOPT_READDATA, file);
  curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)status.st_size);
  CURLcode code = curl_easy_perform(easy);
  if (code) fail(code);
  curl_easy_cleanup(easy);
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  curl_global_init(CURL_GLOBAL_DEFAULT);
  double start = now();
  if (!strcmp(arguments[1], "get")) get(arguments[2], atol(arguments[3]));
  if (!strcmp(arguments[1], "parallel")) parallel(arguments[2], atol(arguments[3]), atoi(arguments[4]));
  if (!strcmp(arguments[1], "put")) put(arguments[2], arguments[3]);
  printf("%f\n", now() - start);
  return 0;
}
