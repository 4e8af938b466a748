import type { Area } from '#records/area.ts'
import type home from './texts.en.json'

declare module '#texts/messages.ts' {
  interface Messages {
    readonly home: typeof home
  }
}

export default {
  id: 'home',
  menu: { name: { en: 'Home', de: 'Start' }, icon: 'house', group: 0, order: 0, hiddenFor: ['member'] },
  pages: {
    '/': { load: () => import('./home-page.tsx'), texts: ['home', 'audit'] },
  },
} satisfies Area
