import type { Area } from '#records/area.ts'
import type campaigns from './texts.en.json'

declare module '#texts/messages.ts' {
  interface Messages {
    readonly campaigns: typeof campaigns
  }
}

export default {
  id: 'campaigns',
  needs: 'marketing_campaigns:read',
  menu: { name: { en: 'Campaigns', de: 'Kampagnen' }, icon: 'megaphone', group: 1, order: 1 },
  pages: {
    '/campaigns': { load: () => import('./campaigns-page.tsx'), texts: ['campaigns', 'assets'] },
    '/campaigns/$id': {
      load: () => import('./campaign-page.tsx'),
      texts: ['campaigns', 'signatures', 'assets'],
    },
    '/campaigns/$id/edit': {
      load: () => import('#editor/banner-editor-page.tsx'),
      texts: ['editor'],
      needs: 'marketing_campaigns:write',
    },
  },
} satisfies Area
