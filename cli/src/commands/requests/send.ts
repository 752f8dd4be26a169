import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineCommand } from 'citty'
import { useUpload } from '../../arguments/option-elsewhere.ts'
import { refuseRecipients } from '../../encryption/recipient-among-files.ts'
import { usageFailure } from '../../errors/failure.ts'
import type { Program } from '../../program/program.ts'
import { sendArguments } from '../../requests/send-arguments.ts'

export const send = (program: Program) =>
  defineCommand({
    meta: {
      name: 'send',
      description:
        'Send files to someone who asks for them with a link (svc request), encrypted for the key that the link names',
    },
    args: sendArguments,
    async run({ args: given }) {
      const [link = '', ...paths] = given._
      if (existsSync(resolve(program.directory, link)))
        throw usageFailure(`${link} is a file, not the link of a request: ${useUpload}`)
      if (paths.length === 0) throw usageFailure('name the files to send: svc send LINK FILE…')
      await refuseRecipients(
        program,
        paths,
        () => 'svc send encrypts for the owner of the request, and for no one else',
      )
      const { sendToRequest } = await import('../../requests/send-to-request.ts')
      await sendToRequest(program, given, link, paths)
    },
  })
