import type { Area } from '#records/area.ts'
import type approvals from './texts.en.json'

declare module '#texts/messages.ts' {
  interface Messages {
    readonly approvals: typeof approvals
  }
}

export default {
  id: 'approvals',
  needs: 'signatures:write',
  menu: { name: { en: 'Approvals', de: 'Freigaben' }, icon: 'clipboard-check', group: 2, order: 2 },
  pages: {
    '/approvals': { load: () => import('./approvals-page.tsx') },
  },
} satisfies Area
