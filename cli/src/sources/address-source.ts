import { printable } from '@svc/terminal'
import { openAddress } from '../addresses/open-address.ts'
import type { WebAddress } from '../addresses/web-address.ts'
import { findTarget } from '../config/target.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure } from '../errors/failure.ts'
import { downloadID } from '../files/local-file.ts'
import type { Program } from '../program/program.ts'
import { matchesGlob } from './glob.ts'
import type { DownloadSource } from './source.ts'
import { expectedKey, type Requested } from './upload-source.ts'

/**
 * The file at an address of the web.
 * @throws Failure, ApiError
 */
export async function openWebFile(
  program: Program,
  { args, patterns, keySource }: Requested,
  address: WebAddress,
): Promise<DownloadSource> {
  const { insecure, isQuiet } = await findTarget(program, args)
  const opened = await openAddress(program, address, { insecure, isQuiet, password: args.password })
  const { client, direct, rules, file, access, validator, checksum, isEncrypted, close } = opened
  try {
    const expected = expectedKey(keySource, address.key)
    if (args.decrypt && !isEncrypted && expected !== undefined)
      throw new Failure(
        `the file is not encrypted, but ${expected}: someone may have replaced it`,
        exitCodes.locked,
      )
    const keys = args.decrypt && isEncrypted ? await keySource.keysFor(address.key) : undefined
    const fileName = keys === undefined ? file.fileName : file.fileName.replace(/(?<=.)\.age$/i, '')
    if (patterns.length > 0 && !patterns.some((pattern) => matchesGlob(pattern, fileName)))
      throw new Failure(`the file is named ${printable(fileName)}, which no --file matches`)
    return {
      client,
      direct,
      upload: rules,
      access,
      files: [{ ...file, fileName }],
      isRepeatable: true,
      failed: [],
      keys,
      identify: ({ fileSize }) => ({
        id: downloadID({ server: address.url.href, uploadID: validator ?? '', fileID: String(fileSize) }),
        canContinue: validator !== undefined,
      }),
      checksumOf: () => (args.verify ? checksum : undefined),
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}
