/* Signoff for web pages: remembers which click in a mail brought a visitor, and tells what they do. See docs/build/events.md. */
;(() => {
  const tag = document.currentScript
  const site = tag.dataset.site
  const address = new URL('/tracking/events', tag.src).href
  const names = { click: 'signoff_click_id', visitor: 'signoff_visitor' }
  const thirtyDays = 2592000
  const parameters = [tag.dataset.clickParameter, names.click, 'scribe_click_id']
  const query = new URL(location.href).searchParams
  const sent = parameters
    .map(name => name && query.getAll(name).at(-1))
    .find(id => /^[\w.~-]{1,100}$/.test(id || ''))
  let allowed = tag.dataset.consent !== 'required'
  let user
  const memory = {}

  const read = name => {
    const found = document.cookie.split('; ').find(pair => pair.startsWith(`${name}=`))
    try {
      if (found) return decodeURIComponent(found.slice(name.length + 1))
    } catch {
      // not one of ours
    }
    return memory[name]
  }
  const write = (name, value, seconds) => {
    const secure = location.protocol === 'https:' ? '; Secure' : ''
    document.cookie = `${name}=${encodeURIComponent(value)}; Max-Age=${seconds}; Path=/; SameSite=Lax${secure}`
  }
  const keep = (name, value) => {
    memory[name] = value
    if (allowed) write(name, value, thirtyDays)
  }
  const random = () =>
    [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')

  const send = event => {
    const text = JSON.stringify({ site, events: [event] })
    const blob = new Blob([text], { type: 'text/plain' })
    if (navigator.sendBeacon?.(address, blob)) return
    fetch(address, { method: 'POST', body: text, keepalive: true, mode: 'cors', credentials: 'omit' }).catch(
      () => {},
    )
  }

  const begin = () => {
    if (sent) keep(names.click, sent)
    keep(names.visitor, read(names.visitor) || random())
  }

  const track = (name, properties) => {
    if (!allowed) return
    const { value, currency, ...rest } = properties ?? {}
    const about = { click_id: read(names.click), anonymous_id: read(names.visitor), user_id: user }
    send({ name, value, currency, properties: rest, ...about })
  }

  window.signoff = {
    track,
    identify(id, traits) {
      // Nobody has signed in: not a user of that name.
      if (id === undefined || id === null || id === '') return
      user = String(id)
      if (!allowed) return
      const about = { click_id: read(names.click), anonymous_id: read(names.visitor), user_id: user }
      send({ name: '$identify', traits: traits ?? {}, ...about })
    },
    consent(given) {
      allowed = given === true
      if (allowed) return begin()
      for (const name of Object.values(names)) {
        write(name, '', 0)
        delete memory[name]
      }
      user = undefined
    },
  }
  if (allowed) begin()
})()
