import { describeObject } from './objects.ts'
import { bodyOf, error, type GcsCall } from './call.ts'

interface ComposeRequest {
  readonly sourceObjects?: readonly {
    readonly name: string
    readonly generation?: string
    readonly objectPreconditions?: { readonly ifGenerationMatch?: string }
  }[]
  readonly destination?: { readonly contentType?: string }
}

const mostSources = 32

/** Makes one object of up to 32 others ("Objects: compose", "Composite objects"). They stay as they are. */
export async function compose(call: GcsCall, name: string): Promise<void> {
  const { request, url, reply, bucket, bucketName } = call
  const { sourceObjects = [], destination } = JSON.parse((await bodyOf(request)).toString()) as ComposeRequest
  const { length } = sourceObjects
  if (length === 0 || length > mostSources) {
    reply(400, error(400, `The number of source components provided (${String(length)}) is not 1 to 32`))
    return
  }
  const sources = sourceObjects.map((source) => ({ source, object: bucket.objects.get(source.name) }))
  const lost = sources.find(
    ({ source, object }) => (object?.generation ?? '') !== (source.generation ?? object?.generation ?? null),
  )
  if (lost !== undefined) {
    reply(404, error(404, `No such object: ${bucketName}/${lost.source.name}`))
    return
  }
  const isOther = sources.some(
    ({ source }) => !bucket.holds(source.name, source.objectPreconditions?.ifGenerationMatch ?? null),
  )
  if (isOther || !bucket.holds(name, url.searchParams.get('ifGenerationMatch'))) {
    reply(412, error(412, 'At least one of the pre-conditions you specified did not hold.'))
    return
  }
  const objects = sources.flatMap(({ object }) => (object === undefined ? [] : [object]))
  const componentCount = objects.reduce((sum, object) => sum + (object.componentCount ?? 1), 0)
  const data = Buffer.concat(objects.map((object) => object.data))
  const contentType = destination?.contentType ?? 'application/octet-stream'
  reply(200, describeObject(bucketName, bucket.put({ name, data, contentType, componentCount })))
}
