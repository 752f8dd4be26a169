import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const composeFolder = resolve(import.meta.dirname, '../../../deploy/compose')

/** The commands at the beginning of a file, in the background and with the image that is built. */
export function commandsOf(file: string): string {
  const lines = readFileSync(join(composeFolder, file), 'utf8').match(/(?<=^# {3})\S.*/gm) ?? []
  return lines
    .map((line) => line.replace(/ --build| --detach/g, '').replace(/ up$/, ' up --detach'))
    .join('\n')
}

/** Waits for a command to succeed. Fails once no container runs, instead of waiting for ever. */
export const waitFor = (command: string) =>
  `until ${command}; do test -n "$(docker ps --quiet)"; sleep 0.1; done`

/** Sends a file, and streams another one. @param base where the service is */
export const transfers = (base: string, options = '') => `
${waitFor(`curl -fsS ${options} ${base}/ready`)}
echo hello > hello.txt
link=$(curl -fsS ${options} -H "X-SvcToken: \${token:-}" -F file=@hello.txt ${base}/)
echo "link $link"
test "$(curl -fsS ${options} $link)" = hello
${stream(base, base, options)}
`

/** Streams `hello.txt`. @param sender where the service is for the sender @param recipient where it is for the recipient */
export const stream = (sender: string, recipient: string, options = '') => `
# Not the link of the stream before: the background command may truncate the file late.
rm -f streamed
curl -fsSN ${options} -H "X-SvcToken: \${token:-}" -T hello.txt '${sender}/hello.txt?stream=true' > streamed &
until grep -qs http streamed; do sleep 0.1; done
test "$(curl -fsS ${options} "$(sed 's|^${sender}|${recipient}|' streamed)")" = hello
wait $!
`
