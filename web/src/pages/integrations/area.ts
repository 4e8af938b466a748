import type { Area } from '#records/area.ts'
import type integrations from './texts.en.json'

declare module '#texts/messages.ts' {
  interface Messages {
    readonly integrations: typeof integrations
  }
}

export default {
  id: 'integrations',
  needs: 'integrations:read',
  menu: { name: { en: 'Integrations', de: 'Anbindungen' }, icon: 'plug', group: 3, order: 1 },
  pages: {
    '/integrations': { load: () => import('./integrations-page.tsx') },
    '/integrations/new/$kind': { load: () => import('./connect-page.tsx') },
    '/integrations/$id': {
      load: () => import('./integration-page.tsx'),
      texts: ['integrations', 'installations'],
    },
    '/integrations/$id/setup': { load: () => import('./setup-page.tsx') },
    '/integrations/$id/values': { load: () => import('./values-page.tsx') },
    '/integrations/$id/runs': { load: () => import('./runs-page.tsx') },
    '/integrations/$id/runs/$run': { load: () => import('./run-page.tsx') },
    '/integrations/$id/settings': { load: () => import('./integration-settings-page.tsx') },
  },
} satisfies Area
