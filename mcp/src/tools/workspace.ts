// Tools about the workspace: its brand, its fields, its pictures, its connections.
import type { JsonRecord } from '../api.ts'
import { rowsPerPage } from '../bounds.ts'
import { argumentsOf, schemaOf } from '../schemas.ts'
import { listTool, routeTool, type ToolDefinition } from '../tool.ts'
import { getContentSchema } from './content-schema.ts'

const getWorkspace: ToolDefinition = {
  name: 'get_workspace',
  title: 'Workspace and brand',
  description:
    'Reads the workspace (name, plan, seats) and its brand (logo, colours, font, company data). Call it first in a conversation, and before designing a signature: use the colours and the font of the brand.',
  effect: 'reads',
  routes: ['workspace.get', 'brand.get'],
  input: () => schemaOf({}),
  async run(_args, calls) {
    const [workspace, brand] = [await calls.json('workspace.get'), await calls.json('brand.get')]
    return {
      summary: 'The workspace and its brand.',
      answer: { workspace: workspace.data, brand: brand.data },
    }
  },
}

const listTemplates = listTool({
  name: 'list_templates',
  title: 'Templates',
  description:
    'Finished designs, already filled with the brand and the smart fields of this workspace. The quickest way to a good signature: choose one, then create_signature with its id as template_id, then change the draft where needed. thumbnail_url shows each with sample data.',
  route: 'templates.list',
  rows: 'templates',
  shape: ({ content: _, ...template }) => template,
})

const listSmartFields = listTool({
  name: 'list_smart_fields',
  title: 'Smart fields',
  description:
    'The values that signatures are filled with, such as first_name or job_title. Content names a field by its id (smartFieldUuid); teammates and conditions take its key too.',
  route: 'smartFields.list',
  rows: 'smart fields',
})

const updateSmartField: ToolDefinition = {
  name: 'update_smart_field',
  title: 'Create or change a smart field',
  description:
    'Changes a smart field (with smart_field_id), or creates one (without; label is needed then). A new fallback is installed in every signature that shows the field. Look at list_smart_fields first: most workspaces need no further fields.',
  effect: 'overwrites',
  routes: ['smartFields.update', 'smartFields.create'],
  input: routeNamed =>
    argumentsOf(routeNamed('smartFields.update'), {
      names: { id: 'smart_field_id' },
      optional: ['smart_field_id'],
    }),
  async run({ smart_field_id: id, ...args }, calls) {
    const isNew = id === undefined || id === null
    const answer = isNew
      ? await calls.json('smartFields.create', args)
      : await calls.json('smartFields.update', { id, ...args })
    return { summary: isNew ? 'The smart field is created.' : 'The smart field is changed.', answer }
  },
}

const listAssets = listTool({
  name: 'list_assets',
  title: 'Images',
  description:
    'The images of the workspace, newest first, with their size and public address. Content names an image by its id (assetUuid). role: company_logo, profile_picture or banner.',
  route: 'assets.list',
  rows: 'images',
})

const createAsset = routeTool({
  name: 'create_asset',
  title: 'Add an image',
  description:
    'Stores an image from a public address (source_url, the usual way) or from base64 (file_base64 with filename; small files only, the whole call must stay under 1 MB). PNG, JPEG, GIF, WebP and SVG. Check list_assets first, so that no image is stored twice. Use the id of the answer in content.',
  effect: 'creates',
  isOpenWorld: true,
  route: 'assets.create',
  summary: () => 'The image is stored; use its id in content.',
})

const listIntegrations: ToolDefinition = {
  name: 'list_integrations',
  title: 'Connected systems, org units and groups',
  description:
    'The systems that this workspace is connected to, with their state, and the org units and groups of connected directories (entities), whose ids set_recipients takes. error_message says what a person must do. No integration: signatures reach people by their personal pages only.',
  effect: 'reads',
  routes: ['integrations.list', 'integrationEntities.list'],
  input: routeNamed =>
    argumentsOf(routeNamed('integrationEntities.list'), { about: { page: 'Of the entities, from 1.' } }),
  async run(args, calls) {
    const { data: integrations } = await calls.json('integrations.list', { limit: rowsPerPage })
    const { data, pagination } = await calls.json('integrationEntities.list', { limit: rowsPerPage, ...args })
    const count = Array.isArray(integrations) ? integrations.length : 0
    return {
      summary: `${count} integrations; the entities are those of page ${(pagination as JsonRecord).page}.`,
      answer: { integrations, entities: data, entities_pagination: pagination },
    }
  },
}

export const workspaceTools: readonly ToolDefinition[] = [
  getWorkspace,
  getContentSchema,
  listTemplates,
  listSmartFields,
  updateSmartField,
  listAssets,
  createAsset,
  listIntegrations,
]
