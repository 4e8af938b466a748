// The tool that searches the documentation.
import type { DocumentPage } from '../api.ts'
import { searchDocuments } from '../documents.ts'
import { schemaOf } from '../schemas.ts'
import type { ToolDefinition } from '../tool.ts'

const searchDocs: ToolDefinition = {
  name: 'search_docs',
  title: 'Search the documentation',
  description:
    'Searches the guides of this service by keywords ("Gmail delegation", "text block colour") and answers with the best sections. Use it when a tool refuses something that you do not understand, or when the user asks how something works. The resource of a result is the whole page.',
  effect: 'reads',
  routes: [],
  input: () => schemaOf({ query: { type: 'string', maxLength: 200 } }, ['query']),
  async run({ query }, calls) {
    const pages: readonly DocumentPage[] = await calls.documents()
    const results = searchDocuments(pages, typeof query === 'string' ? query : '')
    return {
      summary: results.length === 0 ? 'Nothing found; try other words.' : `${results.length} sections.`,
      answer: { data: results },
    }
  },
}

export const documentationTools: readonly ToolDefinition[] = [searchDocs]
