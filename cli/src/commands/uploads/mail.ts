import { defineCommand, type ArgsDef } from 'citty'
import { printableJson } from '@svc/terminal'
import { outputArgsDef, serverArgsDef } from '../../arguments/common-args.ts'
import { openLink } from '../../links/open-link.ts'
import type { Program } from '../../program/program.ts'

const argsDef = {
  link: { type: 'positional', required: true, description: 'Link or id of an upload of your account' },
  addresses: {
    type: 'positional',
    required: true,
    valueHint: '…',
    description: 'Email addresses, up to 10',
  },
  message: { type: 'string', valueHint: 'TEXT', description: 'Text for the recipients' },
  language: {
    type: 'string',
    valueHint: 'CODE',
    description: 'Language of the email, such as `de` (default: that of your account)',
  },
  ...serverArgsDef,
  ...outputArgsDef,
} as const satisfies ArgsDef

export const mail = (program: Program) =>
  defineCommand({
    meta: { name: 'mail', description: 'Send the link of an upload of your account by email' },
    args: argsDef,
    async run({ args }) {
      const [link = '', ...addresses] = args._
      const { acceptedMessage, newLinkEmail } = await import('../../upload/link-mail.ts')
      const email = newLinkEmail(addresses, args)
      const { client, link: opened } = await openLink(program, args, link)
      const result = await client.mailLink(opened.uploadID, email)
      if (args.json === true) program.print(printableJson(result))
      else if (args.quiet !== true) program.print(acceptedMessage(result.accepted))
    },
  })
