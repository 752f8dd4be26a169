/** What the commands of a page need to run as they stand. */
export interface PageSetUp {
  /** Settings of the server, by their names in the environment without the prefix `SVCD_`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Shell commands before the first block. */
  readonly before?: string
  /**
   * Examples that only the reader can replace, such as `LINK`, in the order in which they are replaced. Everything else of a
   * block runs as it is written.
   */
  readonly examples?: readonly (readonly [pattern: RegExp, value: string])[]
}

/** Sends in the background, and fetches what is sent: a stream waits for its recipient. */
const asStream = (command: string) => `rm -f stream.out
{ ${command}
} > stream.out & until grep -q http stream.out; do sleep 0.05; done
curl -fsS -o fetched "$(grep -o 'http[^ ]*' stream.out | head -n 1)" && wait $!`

/** A command that uploads a stream with curl, without its comment. */
const stream: readonly [RegExp, string] = [
  /^((?:tar c \. \| )?curl -N [^#\n]*stream=true["'])(?: +#.*)?$/gm,
  asStream('$1'),
]

/** The id of an upload of alice, in $upload. */
const upload = `curl -fsS -F file=@hello.txt "$SVC_SERVER/" -D head > link
upload=$(tr -d '\\r' < head | sed -n 's/^x-uploadid: //ip')
`

export const setUps: Readonly<Record<string, PageSetUp>> = {
  'README.md': {
    before: 'echo report > report.pdf\n',
    examples: [
      stream,
      [/^(svc request new [^#\n]*).*$/m, '$1> request.out'],
      [/\bLINK\b/g, '"$(grep -o "http[^ ]*" request.out | head -n 1)"'],
    ],
  },
  'docs/quick-start.md': {
    before:
      'mkdir -p docs && echo page > docs/page.txt && echo secret > secret.pdf && echo film > film.mkv\n',
    examples: [
      // The last upload of one file, whose link is in $url.
      [/\bLINK\b/g, '"$url"'],
      [/^pg_dump db \|/m, 'echo dump |'],
      [/^npx svc -S film\.mkv.*$/m, ': a stream waits for its recipient'],
      [/^npx svc get "\$url" -f '\*\.jpg'.*$/m, 'npx svc get "$url" -f \'*.txt\' -o photos/'],
      [/^npx svc resume.*$/m, ': nothing was interrupted'],
      [/\bnpx (svcd?)\b/g, '$1'],
    ],
  },
  'docs/incidents.md': {
    before: `echo hello > hello.txt
link=$(curl -fsS -F file=@hello.txt "$SVC_SERVER/")
svcd export backup.jsonl
`,
    examples: [
      [/\/tmp\/drill/g, 'drill'],
      [/\/var\/backups\/svcd\.jsonl/, '../backup.jsonl'],
      [/^rsync -a \/var\/backups\/svcd-files\/ files\/$/m, 'cp -r ../files .'],
      [/^ListenPort = 8090$/m, 'ListenPort = 0'],
      [
        /^svcd serve --config drill\.toml.*$/m,
        `svcd serve --config drill.toml > drill.log & until grep -q 'listens on' drill.log; do sleep 0.05; done
curl -fsS "$(sed -n 's,^svcd listens on \\(.*\\)/$,\\1,p' drill.log)/file/\${link#*/file/}" | grep -qx hello`,
      ],
    ],
  },
  'docs/curl.md': {
    before: 'echo read > README.md\n',
    settings: { FEATURE_AUTHENTICATION: 'enabled' },
    examples: [
      stream,
      // The block before has removed the upload of the page.
      [/^wget -r .*$/m, `${upload}id="$upload"\n$&`],
      [/svct_…/, `$(svcd user create alice --generate-password > /dev/null; svcd token create alice)`],
    ],
  },
  'docs/admin.md': {
    settings: { FEATURE_AUTHENTICATION: 'enabled' },
    before: `echo hello > hello.txt && echo 'a good password' > password.txt
${upload}`,
    examples: [
      [/^svcd user create alice {2,}#.*$/m, ': asks'],
      [/^svcd user create alice --password-stdin/m, 'svcd user create ada --password-stdin'],
      [/^svcd user create carol@example\.org.*$/m, ': needs the provider'],
      [/^svcd user update alice --password {2,}.*$/m, ': asks'],
      [/^svcd user rebind .*$/m, ': needs the provider'],
      [/^svcd user delete alice {2,}.*$/m, 'svcd user delete ada --yes'],
      [/3fJ0cVx8Qm1ZtR5k/, '"$token"'],
      [/4kTq0Zb1mWc9XyRs/g, '"$upload"'],
      [/^svcd import backup\.jsonl {2,}/m, 'SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING=empty.db $&'],
      [/\| ssh other svcd import/, '| SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING=other.db svcd import'],
      [/^svcd upload delete --address 192\.0\.2\.7/m, '$& --yes'],
    ],
  },
  'docs/requests.md': {
    before: 'echo report > report.pdf && mkdir -p photos && echo photo > photos/a.jpg\n',
    examples: [
      [/^(svc request new .*)$/m, '$1 > request.out'],
      [/'http[^'\n]*request\?id=…&key=…'/, '"$(grep -o "http[^ ]*" request.out | head -n 1)"'],
      [/\bLINK\b/g, '"$(grep -o "http[^ ]*" request.out | head -n 1)"'],
      [/^svc request get .* --watch$/m, ': waits for more'],
      [/FILE_ID/, '$(curl -s -H "X-UploadToken: $uploadToken" $url/upload/$uploadID | jq -r .files[0].id)'],
    ],
  },
  'docs/streams.md': {
    before: 'head -c 1048576 /dev/zero > backup.tar\n',
    examples: [
      stream,
      [/^curl -H "X-UploadToken: \$token" --expect100-timeout.*$/m, '$& &'],
      [/^curl -fO .*$/m, '$& --retry 20 --retry-all-errors --retry-delay 1 && wait'],
    ],
  },
  'docs/encryption.md': {
    before:
      'echo report > report.pdf && age-keygen -o key.txt 2> /dev/null && age-keygen -y key.txt > friends.txt\n',
    examples: [
      [/^svc -s report\.pdf .*$/m, 'link=$(svc -s report.pdf)'],
      [/SVC_PASSPHRASE='…'/, "SVC_PASSPHRASE='a long passphrase'"],
      [/age1…/, '"$(cat friends.txt)"'],
      [/^svc get LINK -i key\.txt/m, 'svc get "$(svc report.pdf -R friends.txt)" -i key.txt -o with-key'],
      [/\bLINK --no-decrypt/, '"$link" -o encrypted --no-decrypt'],
      [/^svc get LINK /m, 'svc get "$link" -o decrypted '],
      [/^svc report\.pdf --recipient (?:github:ada|https:).*$/gm, ': needs another server'],
      [/^svc keys add ada github:ada/m, 'svc keys add ada "$(cat friends.txt)"'],
    ],
  },
  'docs/operating.md': {},
  'docs/accounts.md': {
    settings: { FEATURE_AUTHENTICATION: 'enabled' },
    before: 'svcd user create root --admin --generate-password > root.out\n',
    examples: [[/"password":"…"/, '"password":"\'"$(sed -n "s/^password: //p" root.out)"\'"']],
  },
}
