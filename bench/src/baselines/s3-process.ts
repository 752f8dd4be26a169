/**
 * The SDK alone, with the same transfer of a large file as the server: prints its seconds. Arguments: the
 * backend's options as JSON; `default`, or `tuned` as in the server; `upload FILE` or `download`.
 */
import { open } from 'node:fs/promises'
import {
  connectS3,
  defaultTimeouts,
  type S3BackendOptions,
} from '../../../server/src/data/s3/client/client.ts'

const [json = '{}', how, what, file = ''] = process.argv.slice(2)
const options = JSON.parse(json) as S3BackendOptions
const place = { Bucket: options.bucket, Key: 'baseline' }
const tuned = await connectS3(options, defaultTimeouts)
const { sdk } = tuned
const { writeClient, readClient } = how === 'tuned' ? tuned : asItComes()
const start = performance.now()
await (what === 'upload' ? upload(file) : download())
console.log((performance.now() - start) / 1000)

/** The configuration that any program needs for a store other than Amazon's. */
function asItComes() {
  const { endpoint, region, accessKeyID: accessKeyId, secretAccessKey, pathStyle } = options
  const client = new sdk.S3Client({
    endpoint,
    region,
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { writeClient: client, readClient: client }
}

async function upload(path: string): Promise<void> {
  const { partSize, partConcurrency } = options
  await using handle = await open(path)
  const { size } = await handle.stat()
  const { UploadId } = await writeClient.send(new sdk.CreateMultipartUploadCommand(place))
  const parts: { PartNumber: number; ETag: string | undefined }[] = []
  let next = 0
  const worker = async () => {
    const buffer = Buffer.allocUnsafeSlow(partSize)
    for (let number = next++; number * partSize < size; number = next++) {
      const { bytesRead } = await handle.read(buffer, 0, partSize, number * partSize)
      const part = { ...place, UploadId, PartNumber: number + 1, Body: buffer.subarray(0, bytesRead) }
      const { ETag } = await writeClient.send(new sdk.UploadPartCommand(part))
      parts.push({ PartNumber: number + 1, ETag })
    }
  }
  await Promise.all(Array.from({ length: partConcurrency }, worker))
  const Parts = parts.toSorted((a, b) => a.PartNumber - b.PartNumber)
  await writeClient.send(
    new sdk.CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }),
  )
}

async function download(): Promise<void> {
  const { Body } = await readClient.send(new sdk.GetObjectCommand(place))
  let size = 0
  for await (const chunk of Body as unknown as AsyncIterable<Uint8Array>) size += chunk.length
  if (size === 0) throw new Error('nothing came')
}
