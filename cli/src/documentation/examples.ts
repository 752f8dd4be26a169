/** A command as it is typed, and what it does. LINK is the link of an upload, REQUEST that of an upload request. */
type Example = readonly [command: string, comment: string]

/** Examples of each command, which the tests run (`cli/test/process/documented-commands.test.ts`). */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  upload: [
    ['svc report.pdf photos', 'a file and a folder'],
    ['tar c photos | svc - -n photos.tar', 'the output of another program'],
    ['svc -a zip photos', 'one archive'],
    ['svc --expires 7d --downloads 3 report.pdf', 'deleted after a week, or three downloads'],
    ['svc -s report.pdf', 'encrypted, with the key in the link'],
    ['svc report.pdf -r github:ada', 'encrypted for the SSH keys of a user of GitHub'],
    ['url=$(svc report.pdf)', 'the link, for a script'],
  ],
  watch: [['svc watch photos --ttl 1d', 'each new file, until Ctrl-C']],
  request: [
    ['svc request new "Photos of the party" --ttl 7d', 'prints the link for the senders'],
    ['svc request', 'lists your requests'],
    ['svc request show REQUEST', 'what has arrived'],
    ['svc request get REQUEST -o received', 'fetches and decrypts it'],
    ['svc request close REQUEST', 'accepts no more files'],
    ['svc request rm REQUEST', 'deletes it with all files'],
  ],
  send: [['svc send REQUEST report.pdf photos', 'only the owner of the request can read them']],
  resume: [['svc resume', 'the only unfinished upload']],
  get: [
    ['svc get LINK', 'into the working directory'],
    ["svc get LINK -f '*.jpg' -o pictures/", 'some of the files, into a folder'],
    ['svc get ARCHIVE -x -o unpacked/', 'the content of an archive'],
    ['svc get FILE -o - | sha256sum', 'to another program'],
    ['svc get https://example.org/film.mkv --jobs 4', 'from any web server, over four connections'],
  ],
  info: [
    ['svc info LINK', 'its files, its options and when it expires'],
    ['svc info LINK --activity', 'who has downloaded what'],
  ],
  rm: [
    ['svc rm FILE', 'one file of an upload'],
    ['svc rm LINK', 'the whole upload'],
  ],
  ls: [
    ['svc ls', 'your uploads'],
    ['svc ls --json', 'for a script'],
  ],
  mail: [['svc mail LINK ada@example.org --message "As promised"', 'the server sends the link']],
  open: [['svc open LINK', 'its page']],
  login: [['svc login', 'shows a code, and opens a browser']],
  logout: [['svc logout', '']],
  whoami: [['svc whoami', '']],
  keys: [
    ['svc keys add ada github:ada', 'keeps the keys as they are now'],
    ['svc keys', 'lists the address book'],
    ['svc report.pdf -r ada', 'encrypts for a name of it'],
    ['svc keys rm ada', ''],
  ],
  doctor: [['svc doctor', '']],
  config: [
    ['svc config ttl 7d', 'for all later uploads'],
    ['svc config', 'shows the configuration'],
    ['svc config ttl --unset', ''],
  ],
  mcp: [['svc mcp --folder photos', 'a host of tools starts this command']],
  update: [
    ['svc update --check', 'whether there is a newer version'],
    ['svc update', ''],
  ],
  completion: [['source <(svc completion bash)', 'for this shell; in ~/.bashrc, for all']],
  help: [
    ['svc help', ''],
    ['svc help get', 'the same as svc get --help'],
  ],
  man: [['svc man | man -l -', '']],
}

/** The lines of the examples of a command, with aligned comments. */
export function exampleLines(command: string): readonly string[] {
  const own = examples[command] ?? []
  const width = Math.max(0, ...own.map(([line]) => line.length))
  return own.map(([line, comment]) => (comment === '' ? line : `${line.padEnd(width)}  # ${comment}`))
}
