import { z } from './packages.ts'

const left = z.looseObject({ path: z.string(), status: z.enum(['failed', 'skipped']), reason: z.string() })

/** The result of an upload. */
export const uploadResult = z.looseObject({
  id: z.string(),
  url: z.string().describe('Link of the page; with the key of encrypted files'),
  archiveURL: z.string().nullable().describe('Link of all files as a zip archive'),
  expireAt: z.string().nullable().describe('RFC 3339; null means never'),
  ttl: z.number().describe('Seconds; -1 means never'),
  oneShot: z.boolean(),
  maxDownloads: z.number().optional(),
  removable: z.boolean(),
  protectedByPassword: z.boolean(),
  e2ee: z.string().describe('Encryption scheme; empty for none'),
  passphrase: z.string().optional(),
  files: z.array(
    z.looseObject({
      name: z.string(),
      url: z.string().optional(),
      size: z.number().optional().describe('Bytes'),
      error: z.string().optional(),
    }),
  ),
  notSent: z.array(left).describe('What was not sent, and why'),
})

/** The result of a download: files, or the text of one. */
export const downloadResult = z.looseObject({
  files: z
    .array(
      z.looseObject({
        name: z.string(),
        status: z.enum(['downloaded', 'present', 'failed']),
        path: z.string().optional(),
        extracted: z.array(z.string()).optional(),
        error: z.string().optional(),
      }),
    )
    .optional(),
  text: z.string().optional(),
})

export const serverResult = z.looseObject({
  server: z.string(),
  loggedIn: z.boolean(),
  folder: z.string().describe('Folder of this computer in which files are read and written'),
  mayOverwrite: z.boolean(),
  versions: z.looseObject({ server: z.string(), svc: z.string() }),
  limits: z.looseObject({
    maxFileSize: z.number(),
    maxUserSize: z.number(),
    defaultTTL: z.number(),
    maxTTL: z.number(),
    maxFilePerUpload: z.number(),
  }),
  features: z.record(z.string(), z.string()),
})
