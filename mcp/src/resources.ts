// What clients can attach to a conversation without a tool: the content schema, the guides, rendered signatures.
import type { JsonRecord, ToolCaller, ToolRoute, ToolTable } from './api.ts'
import { internalFailure, invalidParams } from './backend-error.ts'
import { documentUri } from './documents.ts'
import { failureIn, jsonIn } from './failure.ts'
import { requestOf } from './requests.ts'

export interface Resources {
  list(caller: ToolCaller): Promise<readonly JsonRecord[]>
  templates(caller: ToolCaller): readonly JsonRecord[]
  read(uri: string, caller: ToolCaller): Promise<JsonRecord>
}

const schemaUri = 'signoff://content-schema'
const signatureUri = /^signoff:\/\/signatures\/([\w-]{1,64})\.html$/
const documentPattern = /^signoff:\/\/docs\/([\w-]{1,64}(?:\/[\w-]{1,64})?)$/

const contentSchema = {
  uri: schemaUri,
  name: 'content-schema',
  title: 'Content schema',
  description: 'The whole JSON Schema of content, with all limits, the allowed names and an example.',
  mimeType: 'application/json',
}
const signatureTemplate = {
  uriTemplate: 'signoff://signatures/{id}.html',
  name: 'signature',
  title: 'Signature as HTML',
  description: 'The draft of a signature, or its published content, as HTML with placeholders.',
  mimeType: 'text/html',
}

export function createResources({ routes, documents }: ToolTable): Resources {
  const routeNamed = (name: string): ToolRoute => {
    const route = routes.find(candidate => candidate.name === name)
    if (!route) throw new Error(`the resources need the route ${name}, which does not exist`)
    return route
  }
  const [schema, preview] = [routeNamed('content.schema'), routeNamed('signatures.preview')]
  const readJson = async (route: ToolRoute, args: JsonRecord, caller: ToolCaller): Promise<JsonRecord> => {
    const answer = await caller.send(requestOf(route, args))
    if (answer.status === 404) throw invalidParams('There is no such resource.')
    if (answer.status >= 400) throw internalFailure(failureIn(answer).message)
    return jsonIn(answer.bytes).data as JsonRecord
  }
  async function read(uri: string, caller: ToolCaller): Promise<JsonRecord> {
    if (uri === schemaUri) {
      const text = JSON.stringify(await readJson(schema, {}, caller))
      return { uri, mimeType: contentSchema.mimeType, text }
    }
    const id = signatureUri.exec(uri)?.[1]
    if (id !== undefined) {
      const { html } = await readJson(preview, { id }, caller)
      return { uri, mimeType: signatureTemplate.mimeType, text: html }
    }
    const name = documentPattern.exec(uri)?.[1]
    const page =
      name === undefined
        ? undefined
        : (await documents()).find(document => document.name === name || document.formerName === name)
    if (!page) throw invalidParams('There is no such resource.')
    return { uri, mimeType: 'text/markdown', text: page.text }
  }
  return {
    async list() {
      const pages = (await documents()).map(({ name, title }) => ({
        uri: documentUri(name),
        name: `docs/${name}`,
        title,
        mimeType: 'text/markdown',
      }))
      return [contentSchema, ...pages]
    },
    templates: caller => (caller.allows('signatures.preview') ? [signatureTemplate] : []),
    read,
  }
}
