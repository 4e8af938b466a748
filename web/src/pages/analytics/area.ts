import type { Area } from '#records/area.ts'
import type analytics from './texts.en.json'

declare module '#texts/messages.ts' {
  interface Messages {
    readonly analytics: typeof analytics
  }
}

export default {
  id: 'analytics',
  needs: 'analytics:read',
  menu: { name: { en: 'Analytics', de: 'Auswertung' }, icon: 'chart-column', group: 1, order: 2 },
  pages: {
    '/analytics': { load: () => import('./analytics-page.tsx') },
  },
} satisfies Area
