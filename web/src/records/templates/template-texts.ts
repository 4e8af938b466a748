// Names and descriptions of the templates in the language of the person; the API has the English ones.
import type { Template } from '@signoff/sdk'
import { useTranslations } from 'use-intl'

type TemplateTexts = Pick<Template, 'name' | 'description'>

/** A template without texts here is shown as the API names it. */
export function useTemplateTexts(): (template: Template) => TemplateTexts {
  const t = useTranslations('templates')
  return ({ id, name, description }) => {
    const key = id as 'corporate-classic'
    return t.has(`${key}.name`)
      ? { name: t(`${key}.name`), description: t(`${key}.description`) }
      : { name, description }
  }
}
