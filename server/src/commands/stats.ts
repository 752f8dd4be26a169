import { defineCommand } from 'citty'
import { facts, roughSize } from '@svc/terminal'
import { answer } from './answer.ts'
import { commonArguments } from './common-arguments.ts'
import { onService } from './on-service.ts'
import type { Program } from './program.ts'

export const stats = (program: Program) =>
  defineCommand({
    meta: { name: 'stats', description: 'Count users, uploads, files and bytes' },
    args: commonArguments,
    async run({ args }) {
      const figures = await onService(program, args, ({ store }) => store.figures.ofServer())
      answer(program, args, figures, () =>
        facts([
          ['users', figures.users],
          ['uploads', figures.uploads],
          ['anonymous uploads', figures.anonymousUploads],
          ['files', figures.files],
          ['size', roughSize(figures.totalSize)],
          ['anonymous size', roughSize(figures.anonymousTotalSize)],
        ]),
      )
    },
  })
