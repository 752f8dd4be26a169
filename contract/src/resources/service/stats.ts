import * as Type from 'typebox'
import type { Static } from 'typebox'

const count = Type.Integer({ minimum: 0 })

export const UserStats = Type.Object(
  { uploads: count, files: count, totalSize: count },
  { title: 'UserStats' },
)
export type UserStats = Static<typeof UserStats>

export const ServerStats = Type.Object(
  {
    users: count,
    uploads: count,
    anonymousUploads: count,
    files: count,
    totalSize: count,
    anonymousTotalSize: count,
  },
  { title: 'ServerStats' },
)
export type ServerStats = Static<typeof ServerStats>
