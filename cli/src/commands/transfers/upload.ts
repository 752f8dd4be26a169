import { resolve } from 'node:path'
import { defineCommand } from 'citty'
import { printable } from '@svc/terminal'
import { allValues } from '../../arguments/check-arguments.ts'
import { uploadArgsDef, type UploadArgs } from '../../arguments/upload-args.ts'
import {
  parseDownloadsOption,
  parseDurationOption,
  parseTransferOptions,
} from '../../arguments/option-values.ts'
import { findTarget, requireServer } from '../../config/target.ts'
import { foreignTarget, parseDestination } from '../../foreign/destination.ts'
import { refuseRecipients } from '../../encryption/recipient-among-files.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { Failure, usageFailure } from '../../errors/failure.ts'
import type { Program } from '../../program/program.ts'
import { canAsk, confirm } from '../../interactive/ask.ts'
import { notifyAfter } from '../../interactive/notify.ts'
import { parseArchiveOption } from '../../arguments/archive-format.ts'
import { parseLinkOption } from '../../arguments/link-kind.ts'
import { collect, itemsOf, nameProblem, type Collected } from '../../upload/files/collect.ts'
import { linkEmailFromOptions } from '../../upload/link-mail.ts'
import { leftOut } from '../../upload/report.ts'
import type { Problem } from '../../files/item.ts'
import { sendUpload } from '../../upload/send-upload.ts'

export const upload = (program: Program) =>
  defineCommand({
    meta: {
      name: 'upload',
      description:
        'Send files and print their links. The command name is optional: svc FILE…. After an interruption, the same command resumes the upload',
    },
    args: uploadArgsDef,
    run: ({ args, rawArgs }) =>
      notifyAfter(program, args.notify === true, 'Upload', async () => {
        const valuesOf = (name: string) => allValues(uploadArgsDef, rawArgs, name)
        const paths = args._.length > 0 ? args._ : await pipedInput(program, valuesOf('recipient'))
        await sendPaths(program, { args, valuesOf }, paths)
      }),
  })

/** A command line that sends files. */
interface UploadCommandLine {
  readonly args: UploadArgs
  /** All values of an option that may be repeated. */
  readonly valuesOf: (name: string) => readonly string[]
}

/**
 * Sends files and folders as the options of a command line say, and prints the links.
 * @throws Failure, ApiError, EncryptionError, the reason of an interruption
 */
export async function sendPaths(
  program: Program,
  { args, valuesOf }: UploadCommandLine,
  paths: readonly string[],
): Promise<void> {
  const settings = {
    ttl: parseDurationOption('ttl', args.ttl),
    downloads: parseDownloadsOption(args.downloads),
    ...parseTransferOptions(args),
  }
  parseLinkOption(args.link)
  const mail = linkEmailFromOptions(valuesOf('mail'), args.message)
  const destination = args.to === undefined ? undefined : parseDestination(args.to)
  if (destination !== undefined && args.server !== undefined)
    throw usageFailure('--to and --server cannot be combined')
  await refuseRecipients(program, [...paths, ...valuesOf('recipients-file')])
  // An absolute path is never a name of the address book.
  const files = valuesOf('recipients-file').map((path) => resolve(program.directory, path))
  const recipients = [...valuesOf('recipient'), ...files]
  checkNames(args, paths)
  const format = parseArchiveOption(args.archive)
  const found = await (destination === undefined
    ? findTarget(program, args)
    : foreignTarget(program, destination, args))
  // Most uploads need no archive.
  const archive = format && { format, ...(await import('../../upload/files/archive.ts')) }
  const collected = await collect(program, paths, {
    name: format === undefined ? args.name : undefined,
    kinds: archive?.keepsLinks(archive.format) === true ? 'all' : 'files',
  })
  const { entries, problems } = collected
  reportProblems(program, args, problems)
  if (entries.length === 0) throw nothingToSend(problems)
  const target = await requireServer(program, found)
  if (failedOf(problems) > 0 && args.yes !== true && canAsk(program)) await confirmRest(program, collected)
  const items =
    archive === undefined ? itemsOf(collected) : [archive.archiveOf(entries, archive.format, args.name)]
  suggestArchive(program, args, items.length)
  const { directory } = program
  if (destination !== undefined && destination.kind !== 'plik') {
    const { sendForeign } = await import('../../foreign/send-foreign.ts')
    const { insecure, isQuiet } = target
    await sendForeign(program, destination, {
      args,
      settings,
      insecure,
      isQuiet,
      recipients,
      items,
      problems,
    })
    return
  }
  const plan = { args, settings, recipients, directory, paths, items, problems }
  await sendUpload(program, target, { ...plan, mail })
}

/** Without files, piped input is sent. A terminal as input, or no input, is an error. */
async function pipedInput({ input }: Program, recipients: readonly string[]): Promise<readonly string[]> {
  const { fstatSync } = await import('node:fs')
  const descriptor = 'fd' in input && typeof input.fd === 'number' ? input.fd : undefined
  const stats = descriptor === undefined ? undefined : fstatSync(descriptor)
  if (stats !== undefined && (stats.isFIFO() || stats.isFile() || stats.isSocket())) return ['-']
  if (recipients.length > 0)
    throw usageFailure('no files given: -r is --recipient here, and takes the word after it')
  throw usageFailure('no files given: use `svc FILE…`, or `-` for standard input')
}

function checkNames(args: UploadArgs, paths: readonly string[]): void {
  if (args.name !== undefined && args.archive === undefined && paths.length > 1)
    throw usageFailure('--name works with one file only')
  const problem = args.name === undefined ? undefined : nameProblem(args.name)
  if (problem !== undefined) throw usageFailure(`--name: ${problem}`)
  if (paths.filter((path) => path === '-').length > 1)
    throw usageFailure('standard input can be sent only once')
}

const failedOf = (problems: readonly Problem[]) => problems.filter(({ kind }) => kind === 'failed').length

/** What is left out is reported in any case. */
export function reportProblems(
  program: Program,
  { quiet }: Pick<UploadArgs, 'quiet'>,
  problems: readonly Problem[],
): void {
  for (const { path, reason, kind } of problems)
    if (kind !== 'note' || quiet !== true) program.printToStderr(`${printable(path)}: ${printable(reason)}`)
}

export const nothingToSend = (problems: readonly Problem[]) =>
  new Failure('nothing to send', failedOf(problems) > 0 ? exitCodes.local : exitCodes.usage, undefined, {
    notSent: leftOut(problems),
  })

async function confirmRest(program: Program, { problems, entries }: Collected): Promise<void> {
  const failed = String(failedOf(problems))
  const rest = String(entries.length)
  if (!(await confirm(program, `${failed} cannot be sent. Send the other ${rest}?`)))
    throw new Failure('nothing was sent', exitCodes.local, undefined, { notSent: leftOut(problems) })
}

/** Number of files from which an archive is much faster, and which is the limit of most servers. */
const manyFiles = 1000

function suggestArchive(program: Program, { quiet }: UploadArgs, files: number): void {
  if (files <= manyFiles || quiet === true) return
  program.printToStderr(
    `${String(files)} files are sent one by one, which takes long, and the server may refuse this many; -a tar sends them as one`,
  )
}
