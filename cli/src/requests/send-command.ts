import { defineCommand } from 'citty'
import { usageFailure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'
import { sendArguments } from './send-arguments.ts'

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
      if (paths.length === 0) throw usageFailure('name the files to send: svc send LINK FILE…')
      const { sendToRequest } = await import('./send-to-request.ts')
      await sendToRequest(program, given, link, paths)
    },
  })
