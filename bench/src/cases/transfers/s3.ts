import { missingProgramsOf } from '../../../../scripts/test-servers/kinds.ts'
import { startRadosgw } from '../../../../scripts/test-servers/stores/radosgw.ts'
import type { Bench } from '../../bench.ts'
import { download, upload } from '../../clients/curl.ts'
import { interleave } from '../../measure.ts'
import type { Case } from '../../results/rows.ts'
import { newBucket, storeSettings } from '../../object-store.ts'
import { startServer } from '../../processes/server-process.ts'
import { removeUploads } from '../../stored.ts'
import { sdkSeconds, type Client } from '../../baselines/s3.ts'

const concurrency = 4

/** Large files in an object store on the same machine, against the SDK alone with the same store. */
export const objectStore: Case<Bench> = {
  name: 's3',
  async run(bench) {
    const reason = missingProgramsOf('radosgw')
    if (reason !== null) return [{ kind: 'unmeasured', what: 'an object store', reason }]
    const { size, signal } = bench
    const file = await bench.largeFile()
    const store = await startRadosgw({ capacity: (2 * concurrency + 2) * size })
    try {
      const options = await newBucket(store)
      await using server = await startServer(bench, storeSettings(options))
      const rate = (elapsed: number) => size / 1e6 / elapsed
      const ourUpload = async () => {
        const sent = await upload(server.url, file, signal)
        await removeUploads(server, [sent], signal)
        return rate(sent.seconds)
      }
      const sdkUpload = async (client: Client) =>
        rate(await sdkSeconds(options, client, ['upload', file], signal))
      await ourUpload()
      const incoming = await interleave({
        sdk: () => sdkUpload('default'),
        tuned: () => sdkUpload('tuned'),
        ours: ourUpload,
      })

      const stored = await upload(server.url, file, signal)
      const outgoing = await interleave({
        sdk: async () => rate(await sdkSeconds(options, 'default', ['download'], signal)),
        ours: async () => rate(await download(stored.url, size, signal)),
      })

      const usage = await server.measureUsage(async () => {
        const uploads = Array.from({ length: concurrency }, () => upload(server.url, file, signal))
        const sent = await Promise.all(uploads)
        await Promise.all(sent.map(({ url }) => download(url, size, signal)))
      })
      const baseline = 'the SDK alone'
      return [
        {
          kind: 'comparison',
          what: 'upload of a large file to S3',
          unit: 'MB/s',
          atLeast: 0.8,
          ours: incoming.ours,
          baseline: { name: baseline, measurements: incoming.sdk },
        },
        {
          kind: 'comparison',
          what: 'upload of a large file to S3, against our settings of the SDK',
          unit: 'MB/s',
          ours: incoming.ours,
          baseline: { name: `${baseline}, with our settings`, measurements: incoming.tuned },
        },
        {
          kind: 'comparison',
          what: 'download of a large file from S3',
          unit: 'MB/s',
          atLeast: 0.8,
          ours: outgoing.ours,
          baseline: { name: baseline, measurements: outgoing.sdk },
        },
        {
          kind: 'measurement',
          what: 'peak memory, four uploads to S3, then four downloads',
          unit: 'MB',
          value: usage.peakMemory / 1e6,
          atMost: 350,
        },
        {
          kind: 'measurement',
          what: 'event-loop delay (p99) during these transfers',
          unit: 'ms',
          value: usage.loop.p99,
        },
      ]
    } finally {
      await store.remove()
    }
  },
}
