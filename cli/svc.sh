#!/bin/sh
# svc.sh: sends files to a Svc server, and fetches them. Needs a POSIX shell and curl, nothing else.
#   svc.sh [OPTIONS] FILE…      sends each file, prints its link; `-` is standard input
#   svc.sh get LINK [NAME]      downloads a file; an interrupted download resumes. Takes options, too
set -u

usage() {
  cat <<'END'
Usage: svc.sh [OPTIONS] FILE...     send files, print their links; - is standard input
       svc.sh get [OPTIONS] LINK [NAME]
                                    fetch the link of a file; - is standard output

Options for both:
  -p, --password [LOGIN:]WORD
                          password of the upload (or SVC_PASSWORD)
  --limit-rate BYTES      bytes per second, in the format of curl
  --insecure              accept an untrusted certificate
  -q, --quiet             do not show progress
  -h, --help

Options of get:
  -o, --output PATH       folder or name, or - for standard output

Options for sending:
  -o, --oneshot           each file can be downloaded once
  --downloads NUMBER      how many times each file can be downloaded
  --removable             recipients can delete files
  -t, --ttl, --expires DURATION
                          time to live: 90s, 12h, 30d
  --extend-ttl            each download restarts the time to live
  --comments TEXT         comments shown on the page (Markdown)
  -n, --name NAME         name of the file, if there is only one
  --server URL            server to use (or SVC_SERVER)
  --token TOKEN           user token (or SVC_TOKEN)
END
}

print_error() { printf 'svc.sh: %s\n' "$*" >&2; }
usage_error() { print_error "$* (see svc.sh --help)"; exit 2; }

# Characters of a text that a URL cannot have are written as %XX, byte by byte.
encode() {
  printf '%s' "$1" | od -An -v -tx1 | tr -d '\n' | tr ' ' '\n' | while read -r byte || [ -n "$byte" ]; do
    case $byte in
      '') ;;
      2d | 2e | 5f | 7e | 3[0-9] | 4[1-9a-f] | 5[0-9a] | 6[1-9a-f] | 7[0-9a])
        # shellcheck disable=SC2059 # the format is the byte itself
        printf "\\$(printf '%03o' "0x$byte")" ;;
      *) printf '%%%s' "$byte" ;;
    esac
  done
}

add_query() { query="$query${query:+&}$1=$(encode "$2")"; }

# Characters that were written as %XX, without those that are not part of a name.
decode() {
  rest=$1
  while :; do
    case $rest in
      *%[0-9A-Fa-f][0-9A-Fa-f]*) ;;
      *) break ;;
    esac
    after=${rest#*%}
    printf '%s' "${rest%%"%"*}"
    case $after in
      [0-9A-Fa-f][0-9A-Fa-f]*)
        # shellcheck disable=SC2059 # the format is the byte itself
        printf "\\$(printf '%03o' "0x${after%"${after#??}"}")"
        rest=${after#??}
        ;;
      *)
        printf '%%'
        rest=$after
        ;;
    esac
  done
  printf '%s' "$rest"
}

# A name that does nothing but name a file.
safe_name() { decode "$1" | tr '/\\' '__' | tr -d '\000-\037\177'; }

# Curl reads secrets and addresses from here, where other users of the machine do not see them.
quoted() { printf '%s' "$1" | sed 's/[\\"]/\\&/g'; }

# What curl's own status means, as statuses of svc.
status_of() {
  case $1 in
    0) return 0 ;;
    22) return 1 ;;
    23 | 26 | 37) return 5 ;;
    130 | 143) return 130 ;;
    *) return 4 ;;
  esac
}

main() {
  server=${SVC_SERVER:-} token=${SVC_TOKEN:-} password=${SVC_PASSWORD:-}
  query='' name='' output='' rate='' insecure='' quiet='' count=0 mode=send
  if [ "${1:-}" = get ]; then
    mode=get
    shift
  fi
  # Files and links go to the end, until every word has had its turn: options may stand behind them.
  left=$#
  while [ "$left" -gt 0 ]; do
    case $1 in
      --*=*)
        option=${1%%=*} value=${1#*=}
        shift
        set -- "$option" "$value" "$@"
        left=$((left + 1))
        ;;
    esac
    case $mode:$1 in
      *:-p | *:--password | *:--limit-rate | get:-o | get:--output | send:-t | send:--ttl | send:--expires | \
        send:--comments | send:-n | send:--name | send:--server | send:--token | send:--downloads)
        [ "$left" -ge 2 ] || usage_error "$1 needs a value"
        left=$((left - 1))
        ;;
    esac
    case $mode:$1 in
      *:-h | *:--help) usage; return 0 ;;
      *:-q | *:--quiet) quiet=1 ;;
      *:--insecure) insecure=1 ;;
      *:-p | *:--password)
        [ -n "$2" ] || usage_error 'the password is empty'
        [ "$2" != - ] || usage_error 'svc.sh does not ask for passwords: use SVC_PASSWORD'
        password=$2
        shift
        ;;
      *:--limit-rate) rate=$2; shift ;;
      get:-o | get:--output) output=$2; shift ;;
      send:-o | send:--oneshot) add_query oneShot true ;;
      send:--downloads) add_query maxDownloads "$2"; shift ;;
      # The short option of svc for a recipient: without encryption, nothing may be sent.
      send:-r | send:--recipient) usage_error "svc.sh does not encrypt: $1 is an option of svc" ;;
      send:--removable) add_query removable true ;;
      send:--extend-ttl) add_query extend_ttl true ;;
      send:-t | send:--ttl | send:--expires) add_query ttl "$2"; shift ;;
      send:--comments) add_query comments "$2"; shift ;;
      send:-n | send:--name) name=$2; shift ;;
      send:--server) server=$2; shift ;;
      send:--token) token=$2; shift ;;
      *:--)
        while [ "$left" -gt 1 ]; do
          shift
          set -- "$@" "$1"
          left=$((left - 1))
        done
        ;;
      *:-) set -- "$@" - ;;
      get:-*) usage_error "unknown option $1 of get" ;;
      *:-*) usage_error "unknown option $1" ;;
      *) set -- "$@" "$1" ;;
    esac
    shift
    left=$((left - 1))
  done
  if [ "$mode" = get ]; then
    get "$@"
    return
  fi
  [ $# -gt 0 ] || usage_error 'no files given'
  [ -n "$server" ] || usage_error 'no server is configured: use --server URL or SVC_SERVER'
  [ -z "$name" ] || [ $# -eq 1 ] || usage_error '--name works with one file only'
  case $server in *://*) ;; localhost* | 127.*) server=http://$server ;; *) server=https://$server ;; esac
  server=${server%/}
  case $password in
    '') ;;
    ?*:*) add_query login "${password%%:*}" && add_query password "${password#*:}" ;;
    *) add_query password "$password" ;;
  esac
  failed=0 total=$#
  for file in "$@"; do
    transfer "$file" || { failed=$?; count=$((count + 1)); }
  done
  [ "$count" -eq 0 ] || [ "$count" -eq "$total" ] || failed=3
  return "$failed"
}

# Options of curl for both directions.
how_to_ask() {
  printf 'globoff\nshow-error\n'
  if [ -n "$quiet" ] || [ ! -t 2 ]; then echo silent; else echo progress-bar; fi
  [ -z "$insecure" ] || echo insecure
  [ -z "$rate" ] || printf 'limit-rate = "%s"\n' "$(quoted "$rate")"
}

# One file on its way: its link is printed, or why there is none.
transfer() {
  file=$1
  called=$name
  if [ -z "$called" ]; then
    if [ "$file" = - ]; then called=stdin; else called=$(basename -- "$file"); fi
  fi
  if [ "$file" != - ] && { [ ! -f "$file" ] || [ ! -r "$file" ]; }; then
    print_error "$file: it is not a readable file"
    return 5
  fi
  {
    how_to_ask
    printf 'url = "%s"\n' "$(quoted "$server/$(encode "$called")${query:+?$query}")"
    [ -z "$token" ] || printf 'header = "X-SvcToken: %s"\n' "$(quoted "$token")"
  } >"$settings"
  response=$(curl --config "$settings" -T "$file" -w '\n%{http_code}')
  status=$?
  if [ "$status" -ne 0 ]; then
    status_of "$status"
    return
  fi
  case ${response##*
} in
    200) printf '%s\n' "${response%%
*}" ;;
    *)
      print_error "$file: $(printf '%s' "${response%
*}" | tr -d '\000-\010\013-\037\177' | head -c 500)"
      return 1
      ;;
  esac
}

# What has come stays as NAME.part until it is whole.
get() {
  [ $# -ge 1 ] && [ $# -le 2 ] || usage_error 'get takes a link and an optional name'
  link=${1%%#*}
  case $link in
    */file/*/*/* | */stream/*/*/* | */archive/*/*) ;;
    *)
      case $1 in
        *://*/\#/*id=*)
          id=${1#*id=} id=${id%%[!0-9A-Za-z]*}
          usage_error "$1 is the link of a page: use the link of a file, or ${link%/}/archive/$id/files.zip for all files"
          ;;
      esac
      usage_error "$1 is not the link of a file"
      ;;
  esac
  target=${2:-}
  if [ -z "$target" ]; then
    last=${link%%\?*} last=${last##*/}
    target=$(safe_name "$last")
    case $target in '' | . | ..) target=download ;; esac
  fi
  case $output in
    '') ;;
    */) target=$output$target ;;
    *) if [ -d "$output" ]; then target=$output/$target; else target=$output; fi ;;
  esac
  {
    how_to_ask
    printf 'url = "%s"\n' "$(quoted "$link")"
  } >"$settings"
  case $password in
    '') ;;
    *:*) printf 'user = "%s"\n' "$(quoted "$password")" >>"$settings" ;;
    *) printf 'user = "svc:%s"\n' "$(quoted "$password")" >>"$settings" ;;
  esac
  encrypted=''
  case $1 in *[\#\&]key=*) encrypted=1 ;; esac
  set -- --fail --location --config "$settings"
  if [ "$target" = - ]; then
    curl "$@"
    status=$?
    [ "$status" -ne 0 ] || say_encrypted
    status_of "$status"
    return
  fi
  if [ -e "$target" ]; then
    print_error "$target already exists"
    return 5
  fi
  # The id of the file in the name: parts of different files never meet.
  id=${link#*/file/} id=${id#*/stream/}
  id=${id#*/} id=$(safe_name "${id%%/*}")
  part=$target.$id.part archive='' code=''
  case $target in
    */*) mkdir -p -- "${target%/*}" || return 5 ;;
  esac
  case $link in */archive/*/*) archive=$(cat "$settings") part='' ;; esac
  fetch "$@"
  status=$?
  if [ "$status" -ne 0 ]; then
    [ "$code" != 401 ] || print_error 'the upload is protected: use --password or SVC_PASSWORD'
    [ ! -s "$part" ] || print_error "$part contains the partial file; run the command again to resume"
    status_of "$status"
    return
  fi
  # An empty file makes curl write nothing.
  [ -e "$part" ] || : >"$part"
  mv -- "$part" "$target" && printf '%s\n' "$target" && say_encrypted
}

# The key is in the link; messages do not repeat it.
say_encrypted() {
  [ -z "$encrypted" ] || print_error 'the file is encrypted: age --decrypt asks for the part of the link after key='
}

# An archive changes when files are added or removed, so its partial file has the ETag in its name and resumes only with that.
part_of_archive() {
  tag=$(curl "$@" --head 2>/dev/null | tr -d '\r' | sed -n 's/^[Ee][Tt][Aa][Gg]: *//p' | tail -n 1)
  before=$part part=$target.$(safe_name "$tag" | tr -d '"').part
  [ -n "$tag" ] || rm -f -- "$part"
  [ -z "$before" ] || [ "$before" = "$part" ] || rm -f -- "$before"
  printf '%s\nheader = "If-Range: %s"\n' "$archive" "$(quoted "$tag")" >"$settings"
}

# One-shot files and streams have no ranges: asking for the rest would break a stream that has just begun.
is_resumable() { ! curl "$@" --head 2>/dev/null | grep -qi '^accept-ranges: *none'; }

# Downloads into a file, and resumes it after a lost connection.
fetch() {
  for pause in 1 2 4 8 0; do
    [ -z "$archive" ] || part_of_archive "$@"
    [ ! -s "$part" ] || is_resumable "$@" || rm -f -- "$part"
    code=$(curl "$@" -C - -o "$part" -w '%{http_code}')
    status=$?
    case $status in
      # It is another one by now.
      33) rm -f -- "$part" ;;
      18 | 28 | 52 | 55 | 56) ;;
      *) return "$status" ;;
    esac
    sleep "$pause"
  done
  return "$status"
}

command -v curl >/dev/null || { print_error 'curl is missing'; exit 1; }
umask_before=$(umask)
umask 077
settings=$(mktemp) || exit 5
umask "$umask_before"
trap 'rm -f "$settings"' EXIT
trap 'exit 130' INT TERM HUP
main "$@"
