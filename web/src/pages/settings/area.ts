import type { Area } from '#records/area.ts'
import type settings from './texts.en.json'

declare module '#texts/messages.ts' {
  interface Messages {
    readonly settings: typeof settings
  }
}

export default {
  id: 'settings',
  menu: {
    name: { en: 'Settings', de: 'Einstellungen' },
    icon: 'settings',
    group: 3,
    order: 2,
    needs: 'workspace:read',
    hiddenFor: ['member'],
  },
  pages: {
    '/settings': { redirect: '/settings/workspace' },
    '/settings/workspace': { load: () => import('./workspace-page.tsx') },
    '/settings/brand': { load: () => import('./brand-page.tsx') },
    '/settings/members': { load: () => import('./members-page.tsx') },
    '/settings/sign-in': { load: () => import('./sign-in-page.tsx') },
    '/settings/keys': { load: () => import('./keys-page.tsx') },
    '/settings/webhooks': { load: () => import('./webhooks-page.tsx') },
    '/settings/audit': { load: () => import('./audit-page.tsx'), texts: ['settings', 'audit'] },
    '/settings/billing': { load: () => import('./billing-page.tsx') },
  },
} satisfies Area
