import { defineCommand, type ArgsDef } from 'citty'
import { printableJson } from '@svc/terminal'
import { outputArguments, serverArguments } from '../../arguments/common.ts'
import { openLink } from '../../links/open-link.ts'
import type { Program } from '../../program/program.ts'

const args = {
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
  ...serverArguments,
  ...outputArguments,
} as const satisfies ArgsDef

export const mail = (program: Program) =>
  defineCommand({
    meta: { name: 'mail', description: 'Send the link of an upload of your account by email' },
    args,
    async run({ args: given }) {
      const [link = '', ...addresses] = given._
      const { acceptedText, linkMail } = await import('../../upload/link-mail.ts')
      const content = linkMail(addresses, given)
      const { client, link: opened } = await openLink(program, given, link)
      const result = await client.mailLink(opened.uploadID, content)
      if (given.json === true) program.print(printableJson(result))
      else if (given.quiet !== true) program.print(acceptedText(result.accepted))
    },
  })
