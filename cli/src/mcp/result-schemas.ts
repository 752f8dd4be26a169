import { z } from './packages.ts'

/** The schemas of the results of the tools. Results have no other fields, because programs and models rely on the schemas. */

/** A union with null, because programs that convert schemas for models do not support lists of types. */
const textOrNull = (description: string) => z.string().describe(description).nullable()

const unsentFile = z.object({
  path: z.string(),
  status: z.enum(['failed', 'skipped']),
  reason: z.string(),
})

const uploadedFile = z.object({
  name: z.string(),
  id: z.string().optional(),
  url: z.string().optional(),
  size: z.number().optional().describe('Bytes'),
  type: z.string().optional().describe('Media type'),
  md5: z.string().optional(),
  status: z.string().describe('uploaded, or failed'),
  error: z.string().optional(),
})

/** The result of an upload. */
export const uploadResultSchema = z.object({
  id: z.string(),
  url: z.string().describe('Link of the page; with the key of encrypted files'),
  archiveURL: textOrNull('Link of all files as a zip archive'),
  expireAt: textOrNull('RFC 3339; null means never'),
  ttl: z.number().describe('Seconds; -1 means never'),
  oneShot: z.boolean(),
  maxDownloads: z.number().optional(),
  removable: z.boolean(),
  stream: z.boolean(),
  protectedByPassword: z.boolean(),
  e2ee: z.string().describe('Encryption scheme; empty for none'),
  passphrase: z.string().optional(),
  files: z.array(uploadedFile),
  notSent: z.array(unsentFile).describe('What was not sent, and why'),
})

const downloadedFile = z.object({
  name: z.string(),
  status: z.enum(['downloaded', 'present', 'failed']),
  path: z.string().optional(),
  extracted: z.array(z.string()).optional().describe('Paths of the unpacked files'),
  decrypted: z.boolean().optional(),
  size: z.number().optional().describe('Bytes'),
  type: z.string().optional().describe('Media type'),
  md5: z.string().optional().describe('Of the bytes that the server stores'),
  verified: z.string().optional().describe('The checksum that was compared'),
  error: z.string().optional(),
})

/** The result of a download: files, or the text of one. */
export const downloadResultSchema = z.object({
  files: z.array(downloadedFile).optional(),
  text: z.string().optional(),
})

export const serverResultSchema = z.object({
  server: z.string(),
  loggedIn: z.boolean(),
  folder: z.string().describe('Folder of this computer in which files are read and written'),
  mayOverwrite: z.boolean(),
  versions: z.object({ server: z.string(), svc: z.string() }),
  limits: z.object({
    maxFileSize: z.number(),
    maxUserSize: z.number(),
    defaultTTL: z.number(),
    maxTTL: z.number(),
    maxFilePerUpload: z.number(),
  }),
  features: z.record(z.string(), z.string()),
})
