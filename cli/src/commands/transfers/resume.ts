import { createLinks } from '@svc/sdk'
import { defineCommand, type ArgsDef, type ParsedArgs } from 'citty'
import { serverArgsDef, transferArgsDef } from '../../arguments/common-args.ts'
import { parseLinkOption } from '../../arguments/link-kind.ts'
import { uploadArgsDef } from '../../arguments/upload-args.ts'
import { parseTransferOptions } from '../../arguments/option-values.ts'
import { findTarget } from '../../config/target.ts'
import type { ChosenKey } from '../../encryption/choose-key.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { Failure, usageFailure } from '../../errors/failure.ts'
import { connect } from '../../http/connect.ts'
import { ask, canAsk } from '../../interactive/ask.ts'
import { parseLink } from '../../links/parse-link.ts'
import type { Program } from '../../program/program.ts'
import { isInterrupted } from '../../state/unfinished/recorder.ts'
import { proofOf, readUnfinished, type UnfinishedUpload } from '../../state/unfinished/unfinished-upload.ts'
import { collect, itemsOf } from '../../upload/files/collect.ts'
import { sendUpload } from '../../upload/send-upload.ts'
import { nothingToSend, reportProblems } from './upload.ts'

const { token, insecure } = serverArgsDef
const { quiet, json, link: kind, passphrase } = uploadArgsDef
const argsDef = {
  upload: {
    type: 'positional',
    required: false,
    description: 'Link or id of an unfinished upload (svc ls); not needed if there is only one',
  },
  passphrase: {
    ...passphrase,
    description: 'Passphrase that the upload began with, if it was not generated',
  },
  token,
  insecure,
  quiet,
  json,
  link: kind,
  ...transferArgsDef,
} as const satisfies ArgsDef

type ResumeArgs = ParsedArgs<typeof argsDef>

export const resume = (program: Program) =>
  defineCommand({
    meta: {
      name: 'resume',
      description: 'Resume an upload that was interrupted, from the last byte that the server has',
    },
    args: argsDef,
    async run({ args }) {
      parseLinkOption(args.link)
      const settings = { ttl: undefined, ...parseTransferOptions(args) }
      const upload = await unfinishedOf(program, args.upload)
      const { server, directory, paths, name, encryption } = upload
      const target = await findTarget(program, {
        server,
        token: args.token,
        profile: upload.profile,
        insecure: args.insecure ?? (upload.insecure ? true : undefined),
        quiet: args.quiet,
        json: args.json,
      })
      if (upload.request !== undefined) {
        const { resumeSending } = await import('../../requests/send-to-request.ts')
        const client = connect(program, target, server)
        if (await resumeSending(program, args, { client, base: server, unfinished: upload })) return
        throw new Failure('the server has removed the unfinished upload; send the files again')
      }
      const chosenKey = await keyOf(program, upload, args)
      const collected = await collect(program, paths, { directory, name, kinds: 'files' })
      const items = itemsOf(collected)
      const { problems } = collected
      reportProblems(program, args, problems)
      if (items.length === 0) throw nothingToSend(problems)
      const { quiet: isQuiet, json: isJson, link } = args
      await sendUpload(
        program,
        { ...target, server },
        {
          args: { _: [...paths], quiet: isQuiet, json: isJson, link, name },
          settings,
          recipients: encryption?.kind === 'recipients' ? encryption.recipients : [],
          directory,
          paths,
          items,
          problems,
          unfinished: { upload, chosenKey },
        },
      )
    },
  })

async function unfinishedOf(program: Program, input: string | undefined): Promise<UnfinishedUpload> {
  const link = input === undefined ? undefined : parseLink(input)
  const all = await readUnfinished(program)
  const found = all.filter(
    ({ id, server }) =>
      link === undefined || (link.uploadID === id && (link.base === undefined || link.base === server)),
  )
  const [only, ...others] = found
  if (only === undefined)
    throw new Failure(
      link === undefined ? 'there is no unfinished upload' : 'this computer has no such unfinished upload',
    )
  if (others.length > 0)
    throw usageFailure(`there are several unfinished uploads: ${found.map(linkOf).join(' ')}`)
  if (!isInterrupted(program, only)) throw new Failure('another svc is sending this upload')
  if (!only.canResume)
    throw new Failure(
      'the upload contains standard input, a pipe or an archive, which cannot be read again: use svc rm, and send it again',
      exitCodes.local,
    )
  return only
}

const linkOf = ({ server, id }: UnfinishedUpload) => createLinks(server).pageURL({ id })

/** The encryption that the upload began with. */
async function keyOf(
  program: Program,
  upload: UnfinishedUpload,
  args: ResumeArgs,
): Promise<ChosenKey | undefined> {
  const { encryption } = upload
  if (encryption === undefined) return undefined
  const { chooseKey, generatedKey } = await import('../../encryption/choose-key.ts')
  switch (encryption.kind) {
    case 'generated':
      return generatedKey(encryption.passphrase)
    case 'recipients':
      return chooseKey(program, { recipients: encryption.recipients })
    case 'passphrase': {
      const passphrase = await passphraseOf(program, args)
      if (proofOf(upload, passphrase) !== encryption.proof)
        throw new Failure('the upload began with another passphrase', exitCodes.locked)
      return chooseKey(program, { passphrase, recipients: [] })
    }
  }
}

async function passphraseOf(program: Program, { passphrase }: ResumeArgs): Promise<string> {
  if (passphrase !== undefined && passphrase !== '-') return passphrase
  const set = program.environment['SVC_PASSPHRASE'] ?? ''
  if (set !== '' && passphrase === undefined) return set
  if (canAsk(program)) return ask(program, 'Passphrase: ', 'hidden')
  throw new Failure('the upload needs its passphrase: use --passphrase or SVC_PASSPHRASE', exitCodes.locked)
}
