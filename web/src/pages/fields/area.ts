import type { Area } from '#records/area.ts'
import type fields from './texts.en.json'

declare module '#texts/messages.ts' {
  interface Messages {
    readonly fields: typeof fields
  }
}

export default {
  id: 'fields',
  needs: 'smart_fields:read',
  menu: { name: { en: 'Smart fields', de: 'Felder' }, icon: 'tag', group: 2, order: 1 },
  pages: {
    '/fields': { load: () => import('./fields-page.tsx') },
    '/smart-fields': { redirect: '/fields' },
  },
} satisfies Area
