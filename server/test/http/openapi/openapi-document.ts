import { sendRequest, jsonIn } from '../../support/clients/send-request.ts'
import type { TestServer } from '../../support/servers/test-server.ts'

export interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Record<string, { readonly schema: object }> }
    >
  >
}
export interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

/** The OpenAPI description that a server serves. */
export const documentOf = async ({ url }: TestServer): Promise<Document> =>
  jsonIn(await sendRequest(url, '/openapi.json')) as Document

/** All operations of the description. */
export const operationsOf = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
