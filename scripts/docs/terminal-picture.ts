// Draws docs/images/terminal.svg from the output of svc: node scripts/docs/terminal-picture.ts
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const root = resolve(import.meta.dirname, '../..')
const directory = mkdtempSync(join(tmpdir(), 'svc-picture-'))

/** Replaces the address of the server in the picture. As long as http://127.0.0.1:12345, so that columns stay aligned. */
const shownURL = 'https://up.example.org'

const server = spawn(process.execPath, [join(root, 'server/bin/svcd.mjs'), 'serve'], {
  cwd: directory,
  env: { ...process.env, SVCD_LISTEN_PORT: '0', SVCD_LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  writeFileSync(join(directory, 'report.pdf'), Buffer.alloc(1_480_000, 'A quarterly report. '))
  const url = await listeningURL()
  const link = '"$link"'
  const lines = [
    ...session(url, 'svc --encrypt --ttl 7d report.pdf'),
    ...session(url, 'svc ls'),
    ...session(url, `svc get ${link} --output inbox/`),
  ]
  writeFileSync(join(root, 'docs/images/terminal.svg'), picture(lines))
} finally {
  server.kill()
  await once(server, 'close')
  rmSync(directory, { recursive: true })
}

async function listeningURL(): Promise<string> {
  for await (const line of createInterface({ input: server.stdout })) {
    const url = /listens on (http:\S+?)\/?$/.exec(line)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('the server ended before it listened')
}

/** A command and its output. `$link` is the link that the command before printed. */
function session(url: string, command: string): readonly string[] {
  const program = `svc() { '${process.execPath}' '${join(root, 'cli/bin/svc.mjs')}' "$@"; }`
  const link = `link=$(sed -n 's/^.*\\(http[^ ]*#\\/?id=[^ ]*\\)$/\\1/p' printed | head -n 1)`
  const script = `${program}; touch printed; ${link}; { ${command}; } 2>&1 | tee -a printed`
  const printed = execFileSync('sh', ['-c', script], {
    cwd: directory,
    encoding: 'utf8',
    env: { ...process.env, SVC_SERVER: url, HOME: directory, XDG_CONFIG_HOME: directory },
  })
  const shown = printed.trimEnd().replaceAll(url, shownURL).replaceAll(`${directory}/`, '')
  return [`$ ${command}`, ...shown.split('\n'), '']
}

function picture(lines: readonly string[]): string {
  const [left, top, lineHeight, letter] = [20, 52, 20, 7.85]
  const width = Math.ceil(2 * left + letter * Math.max(...lines.map(({ length }) => length)))
  const height = top + lineHeight * lines.length
  const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const texts = lines.map((line, index) => {
    const kind = line.startsWith('$ ') ? ' class="typed"' : ''
    return `  <text${kind} x="${String(left)}" y="${String(top + lineHeight * index)}">${escapeXml(line)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}" role="img" aria-label="A terminal with svc">
  <style>
    rect { fill: #f4f2ec }
    text { fill: #30322c; font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre }
    .typed { fill: #1f6b45; font-weight: 600 }
    circle { fill: #c9c5b8 }
    @media (prefers-color-scheme: dark) {
      rect { fill: #1b1d19 }
      text { fill: #d9d9cf }
      .typed { fill: #7cc79b }
      circle { fill: #4c4e46 }
    }
  </style>
  <rect width="100%" height="100%" rx="10" />
  <circle cx="22" cy="20" r="5.5" /><circle cx="40" cy="20" r="5.5" /><circle cx="58" cy="20" r="5.5" />
${texts.filter((text) => !text.includes('></text>')).join('\n')}
</svg>
`
}
