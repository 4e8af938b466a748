// The pages of the settings, and what the API must allow for each.
import type { Scope } from '#api/client.ts'
import type { IconName } from '#ui/icon.tsx'

export const settingSections = [
  { id: 'workspace', needs: 'workspace:read', icon: 'building-2' },
  { id: 'brand', needs: 'workspace:read', icon: 'palette' },
  { id: 'members', needs: 'members:read', icon: 'users' },
  { id: 'sign-in', needs: 'workspace:write', icon: 'shield-check' },
  { id: 'keys', needs: 'api_keys:read', icon: 'key' },
  { id: 'webhooks', needs: 'webhooks:read', icon: 'webhook' },
  { id: 'audit', needs: 'audit_log:read', icon: 'history' },
  { id: 'billing', needs: 'financial_documents:read', icon: 'receipt' },
] as const satisfies readonly { readonly id: string; readonly needs: Scope; readonly icon: IconName }[]

export type SettingSection = (typeof settingSections)[number]['id']
