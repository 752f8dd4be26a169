import { resolve } from 'node:path'
import { defineCommand } from 'citty'
import { printable } from '@svc/terminal'
import { everyValue } from '../../arguments/check-arguments.ts'
import { uploadArguments, type GivenUpload } from '../../arguments/upload.ts'
import { downloadsOption, durationOption, transferOptions } from '../../arguments/values.ts'
import { findTarget, requireServer } from '../../config/target.ts'
import { foreignTarget, parseDestination } from '../../foreign/destination.ts'
import { refuseRecipients } from '../../encryption/recipient-among-files.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { Failure, usageFailure } from '../../errors/failure.ts'
import type { Program } from '../../program/program.ts'
import { canAsk, confirm } from '../../interactive/ask.ts'
import { notifyAfter } from '../../interactive/notify.ts'
import { formatOption } from '../../arguments/archive-format.ts'
import { linkOption } from '../../arguments/link-kind.ts'
import { collect, itemsOf, nameProblem, type Collected } from '../../upload/files/collect.ts'
import { linkMailOf } from '../../upload/link-mail.ts'
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
    args: uploadArguments,
    run: ({ args: given, rawArgs }) =>
      notifyAfter(program, given.notify === true, 'Upload', async () => {
        const every = (name: string) => everyValue(uploadArguments, rawArgs, name)
        const paths = given._.length > 0 ? given._ : await pipedInput(program, every('recipient'))
        await sendPaths(program, { given, every }, paths)
      }),
  })

/** A command line that sends files. */
interface UploadLine {
  readonly given: GivenUpload
  /** All values of an option that may be repeated. */
  readonly every: (name: string) => readonly string[]
}

/**
 * Sends files and folders as the options of a command line say, and prints the links.
 * @throws Failure, ApiError, EncryptionError, the reason of an interruption
 */
export async function sendPaths(
  program: Program,
  { given, every }: UploadLine,
  paths: readonly string[],
): Promise<void> {
  const settings = {
    ttl: durationOption('ttl', given.ttl),
    downloads: downloadsOption(given.downloads),
    ...transferOptions(given),
  }
  linkOption(given.link)
  const mail = linkMailOf(every('mail'), given.message)
  const destination = given.to === undefined ? undefined : parseDestination(given.to)
  if (destination !== undefined && given.server !== undefined)
    throw usageFailure('--to and --server cannot be combined')
  await refuseRecipients(program, [...paths, ...every('recipients-file')])
  // An absolute path is never a name of the address book.
  const files = every('recipients-file').map((path) => resolve(program.directory, path))
  const recipients = [...every('recipient'), ...files]
  checkNames(given, paths)
  const format = formatOption(given.archive)
  const found = await (destination === undefined
    ? findTarget(program, given)
    : foreignTarget(program, destination, given))
  // Most uploads need no archive.
  const archive = format && { format, ...(await import('../../upload/files/archive.ts')) }
  const collected = await collect(program, paths, {
    name: format === undefined ? given.name : undefined,
    kinds: archive?.keepsLinks(archive.format) === true ? 'all' : 'files',
  })
  const { entries, problems } = collected
  reportProblems(program, given, problems)
  if (entries.length === 0) throw nothingToSend(problems)
  const target = await requireServer(program, found)
  if (failedOf(problems) > 0 && given.yes !== true && canAsk(program)) await confirmRest(program, collected)
  const items =
    archive === undefined ? itemsOf(collected) : [archive.archiveOf(entries, archive.format, given.name)]
  suggestArchive(program, given, items.length)
  const { directory } = program
  if (destination !== undefined && destination.kind !== 'plik') {
    const { sendForeign } = await import('../../foreign/send-foreign.ts')
    const { insecure, isQuiet } = target
    await sendForeign(program, destination, {
      given,
      settings,
      insecure,
      isQuiet,
      recipients,
      items,
      problems,
    })
    return
  }
  const plan = { given, settings, recipients, directory, paths, items, problems }
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

function checkNames(given: GivenUpload, paths: readonly string[]): void {
  if (given.name !== undefined && given.archive === undefined && paths.length > 1)
    throw usageFailure('--name works with one file only')
  const problem = given.name === undefined ? undefined : nameProblem(given.name)
  if (problem !== undefined) throw usageFailure(`--name: ${problem}`)
  if (paths.filter((path) => path === '-').length > 1)
    throw usageFailure('standard input can be sent only once')
}

const failedOf = (problems: readonly Problem[]) => problems.filter(({ kind }) => kind === 'failed').length

/** What is left out is reported in any case. */
export function reportProblems(
  program: Program,
  { quiet }: Pick<GivenUpload, 'quiet'>,
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

function suggestArchive(program: Program, { quiet }: GivenUpload, files: number): void {
  if (files <= manyFiles || quiet === true) return
  program.printToStderr(
    `${String(files)} files are sent one by one, which takes long, and the server may refuse this many; -a tar sends them as one`,
  )
}
