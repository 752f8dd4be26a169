import type { File, Upload } from '@svc/contract'
import { defineCommand, type ArgsDef } from 'citty'
import { facts, printableJson, roughSize, table } from '@svc/terminal'
import { outputArgsDef, passwordArgsDef, serverArgsDef } from '../../arguments/common-args.ts'
import { allDownloads, downloadLines } from '../../output/downloads.ts'
import { loadUpload, openLink } from '../../links/open-link.ts'
import { roughExpiry } from '../../output/rough-duration.ts'
import type { Program } from '../../program/program.ts'
import { shownName, withLocalNames } from '../../state/unfinished/local-names.ts'

const argsDef = {
  link: { type: 'positional', required: true, description: 'Link or id of an upload' },
  activity: { type: 'boolean', description: 'Show the downloads, if you may manage the upload' },
  ...passwordArgsDef,
  ...serverArgsDef,
  ...outputArgsDef,
} as const satisfies ArgsDef

export const info = (program: Program) =>
  defineCommand({
    meta: { name: 'info', description: 'Show an upload and its files' },
    args: argsDef,
    async run({ args }) {
      const opened = await openLink(program, args, args.link)
      const { upload, access } = await loadUpload(program, opened)
      const activity = args.activity === true ? await allDownloads(opened.client, upload, access) : undefined
      const files = await withLocalNames(program, opened.base, upload)
      if (args.json === true)
        program.print(printableJson({ ...upload, files, ...(activity && { activity }) }))
      else {
        const named = await Promise.all(
          files.map(async (file) => ({ ...file, fileName: await shownName(file) })),
        )
        const shown = { ...upload, files: named }
        for (const line of described(program, shown)) program.print(line)
        for (const line of activity === undefined ? [] : downloadLines(activity, shown)) program.print(line)
      }
    },
  })

function described({ clock }: Program, upload: Upload): string[] {
  const { files, expireAt, comments } = upload
  const remaining = roughExpiry(expireAt, clock.now())
  return [
    ...facts([
      ['upload', upload.id],
      ['created', upload.createdAt],
      ['ends', expireAt === null ? remaining : `${remaining} (${expireAt})`],
      ['options', optionsOf(upload).join(', ') || 'none'],
      ...(upload.e2ee === '' ? [] : ([['encrypted', upload.e2ee]] as const)),
      ...(comments === '' ? [] : ([['comments', comments]] as const)),
    ]),
    '',
    ...table(
      [
        ['ID', ({ id }) => id],
        ['STATUS', ({ status }) => status],
        ['SIZE', ({ fileSize }) => roughSize(fileSize)],
        ['MD5', ({ md5 }) => md5],
        ...(isLimited(upload) ? [['DOWNLOADS', (file: File) => downloadsOf(upload, file)] as const] : []),
        ['NAME', ({ fileName }) => fileName],
      ],
      files,
    ),
  ]
}

const isLimited = ({ oneShot, maxDownloads }: Upload): boolean => !oneShot && maxDownloads !== undefined

/** The remaining downloads of a file: `2 of 5 left`. Those of the manifest do not count. */
const downloadsOf = ({ maxDownloads = 0 }: Upload, { downloadsLeft }: File): string =>
  downloadsLeft === undefined ? '' : `${String(downloadsLeft)} of ${String(maxDownloads)} left`

const optionsOf = (upload: Upload): string[] => [
  ...(upload.oneShot ? ['one-shot'] : isLimited(upload) ? [`${String(upload.maxDownloads)} downloads`] : []),
  ...(upload.removable ? ['removable'] : []),
  ...(upload.stream ? ['stream'] : []),
  ...(upload.extend_ttl ? ['each download prolongs it'] : []),
  ...(upload.protectedByPassword ? ['password'] : []),
]
