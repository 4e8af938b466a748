import type { PageTexts } from './page-texts.ts'

const copy = 'Scegli «Copia la firma» qui sopra.'

export const italianPage: PageTexts = {
  title: 'La tua firma e-mail',
  states: {
    never: 'La tua firma è pronta. Copiala e incollala nel programma di posta: basta un minuto.',
    outdated: 'È disponibile una nuova versione. Copia di nuovo la firma e sostituisci quella che hai.',
    current: 'Hai la firma attuale. Non c’è niente da fare; puoi copiarla di nuovo in qualsiasi momento.',
  },
  noSignature:
    'Non c’è ancora una firma per questo indirizzo. Va tutto bene e non devi fare niente: appena ne avrai una, sarà qui.',
  copyStates: {
    current: 'Hai la firma attuale. Incollala nel programma di posta, se non l’hai ancora fatto.',
    outdated: 'La tua firma è cambiata da quando hai aperto la pagina. Ricaricala e copia quella nuova.',
    none: 'Non c’è più una firma per questo indirizzo. Ricarica la pagina per verificare.',
  },
  signature: 'Come appare',
  whichSignature: 'Quale firma?',
  kinds: { new: 'Per i nuovi messaggi', reply: 'Per le risposte' },
  subjects: { new: 'Nuovo messaggio', reply: 'Re: Il tuo messaggio' },
  sampleMail: ['Buongiorno,', 'ecco come appariranno le tue e-mail.'],
  noReply: 'Le risposte non hanno firma: scegli «nessuna firma» per le risposte nel programma di posta.',
  copy: { rich: 'Copia la firma', text: 'Copia come testo', source: 'Copia il codice HTML' },
  copied: {
    rich: 'Copiata. Ora incollala nel programma di posta: i passaggi sono più sotto.',
    text: 'Copiata come testo.',
    source: 'Il codice HTML è copiato.',
  },
  copyRefused:
    'Il browser non permette di copiare qui. La firma è selezionata: premi Ctrl+C, oppure ⌘C su un Mac.',
  byHand: 'I pulsanti per copiare richiedono JavaScript. Senza, seleziona la firma con il mouse e copiala.',
  onDark: 'Mostra su sfondo scuro',
  install: 'Come installarla',
  likely: 'Probabilmente il tuo',
  programs: {
    gmail: {
      name: 'Gmail',
      steps: [
        copy,
        'Apri Gmail su un computer, scegli l’ingranaggio in alto a destra, poi «Visualizza tutte le impostazioni».',
        'In «Generali», scendi fino a «Firma» e scegli «Crea nuova». Il nome è libero.',
        'Fai clic nel riquadro vuoto e incolla.',
        'Sotto, scegli questa firma per le nuove e-mail e, se vuoi, per le risposte.',
        'In fondo alla pagina, scegli «Salva modifiche».',
      ],
      note: 'L’app Gmail sul telefono ha una propria firma di solo testo: usa «Copia come testo».',
    },
    outlook_web: {
      name: 'Outlook sul web',
      steps: [
        copy,
        'Apri Outlook nel browser e scegli l’ingranaggio in alto a destra.',
        'Vai a «Account», poi «Firme». Nelle versioni precedenti: «Posta», «Componi e rispondi».',
        'Scegli «Aggiungi firma», o quella che hai, e incolla nel riquadro.',
        'Sceglila come predefinita per i nuovi messaggi e le risposte, poi «Salva».',
      ],
    },
    new_outlook: {
      name: 'Nuovo Outlook per Windows e Mac',
      steps: [
        copy,
        'Apri le impostazioni: l’ingranaggio in alto a destra su Windows, «Outlook» e «Impostazioni» su un Mac.',
        'Vai a «Account», poi «Firme» (su un Mac direttamente «Firme»).',
        'Aggiungi una firma, o apri quella che hai, e incolla.',
        'Sceglila come predefinita per i nuovi messaggi e le risposte, e salva.',
      ],
    },
    classic_outlook: {
      name: 'Outlook classico per Windows',
      steps: [
        copy,
        'Vai a «File», «Opzioni», «Posta», poi «Firme…».',
        'Scegli «Nuova» e dalle un nome.',
        'Fai clic nel riquadro e incolla con Ctrl+V.',
        'In alto a destra, sceglila per i nuovi messaggi e le risposte, poi «OK».',
      ],
    },
    outlook_phone: {
      name: 'Outlook sul telefono',
      steps: [
        'Apri questa pagina sul telefono e scegli «Copia la firma».',
        'In Outlook, tocca la tua foto in alto a sinistra, poi l’ingranaggio.',
        'Tocca «Firma», cancella il contenuto, tieni il dito sul riquadro vuoto e incolla.',
        'Torna indietro; è salvata.',
      ],
      note: 'Alcuni telefoni conservano solo il testo. In quel caso è più ordinato «Copia come testo».',
    },
    apple_mail: {
      name: 'Apple Mail',
      steps: [
        copy,
        'In Mail sul Mac, scegli «Mail», «Impostazioni», poi «Firme».',
        'Scegli il tuo account a sinistra, poi «+», e dai un nome alla firma.',
        'Togli la spunta a «Usa sempre il font di default».',
        'Seleziona il testo a destra e incolla al suo posto. Chiudi la finestra; è salvata.',
      ],
      note: 'In quella finestra possono mancare le immagini. Nelle tue e-mail ci sono. Su iPhone: «Impostazioni», «App», «Mail», «Firma».',
    },
    thunderbird: {
      name: 'Thunderbird',
      steps: [
        'Scegli «Copia il codice HTML» qui sopra.',
        'In Thunderbird, apri il menu (☰), scegli «Impostazioni account», poi il tuo account.',
        'Spunta «Usa HTML» accanto a «Testo della firma».',
        'Incolla nel riquadro sottostante. Si salva da sola.',
      ],
    },
  },
  details: {
    title: 'I tuoi dati',
    intro: 'Correggi ciò che non è giusto. La firma si aggiorna.',
    save: 'Salva',
    done: {
      saved: 'Salvato. La tua firma lo mostra già.',
      waiting: 'Inviato. Apparirà nella firma appena sarà approvato.',
      removed: 'La foto è stata rimossa.',
      withdrawn: 'La tua richiesta è ritirata.',
    },
    needsApproval: 'Una modifica richiede l’approvazione.',
    waits: current => `In attesa di approvazione. Fino ad allora la firma mostra: ${current}`,
    waitsForRemoval: 'In attesa di approvazione: il valore sarà rimosso.',
    rejected: value => `Non approvato: ${value}`,
    reason: text => `Motivo: ${text}`,
    withdraw: 'Ritira',
    empty: 'niente',
    problems: {
      text: 'Questo valore non è valido.',
      url: 'Non è un indirizzo web come https://example.com.',
      email: 'Non è un indirizzo e-mail.',
      phone: 'Non è un numero di telefono come +39 06 1234 5678.',
      too_long: 'È troppo lungo: al massimo 5.000 caratteri.',
      locked: 'Questo valore non si può più modificare qui.',
    },
    someWrong: 'Non è stato ancora salvato niente: correggi i campi evidenziati.',
  },
  picture: {
    none: 'Ancora nessuna foto',
    add: 'Aggiungi una foto',
    change: 'Cambia foto',
    remove: 'Rimuovi',
    waits: 'Questa foto è in attesa di approvazione.',
    rejected: 'Questa foto non è stata approvata.',
    needsScript: 'Per cambiare la foto serve JavaScript.',
    crop: 'Scegli la parte da mostrare',
    cropHelp: 'Trascina l’immagine o spostala con le frecce. Ingrandisci con + e −.',
    zoom: 'Ingrandimento',
    use: 'Usa questa foto',
    cancel: 'Annulla',
    sending: 'Invio della foto …',
    unreadable: 'Questo file non è un’immagine che il browser può aprire. Scegli un JPEG o un PNG.',
    failed: 'Non è stato possibile salvare la foto. Riprova.',
    limited: 'Troppe modifiche in poco tempo. Riprova tra qualche minuto.',
  },
  fields: {
    first_name: 'Nome',
    last_name: 'Cognome',
    job_title: 'Ruolo',
    department: 'Reparto',
    company: 'Azienda',
    work_phone: 'Telefono ufficio',
    mobile_phone: 'Cellulare',
    calendar_link: 'Link al calendario',
    profile_picture: 'Foto',
  },
  oldLink: {
    title: 'Questo link è vecchio',
    explanation: address =>
      `Per la tua sicurezza i link alle pagine personali valgono per un tempo limitato. Ne inviamo volentieri uno nuovo a ${address}.`,
    button: 'Inviami un nuovo link',
    sentTitle: 'Guarda nella tua casella',
    sent: address =>
      `Un nuovo link è in viaggio verso ${address}. Se non arriva entro pochi minuti, guarda nello spam o riprova più tardi.`,
    withoutMail: 'Chiedi un nuovo link alla persona che gestisce le firme nella tua azienda.',
  },
  missing: {
    title: 'Questa pagina non esiste',
    explanation:
      'Il link non è completo o è stato sostituito da uno nuovo. Chiedi il link attuale alla persona che te l’ha inviato.',
  },
  problem: {
    title: 'Non ha funzionato',
    cross_origin: 'Un altro sito ha inviato questo modulo. Non è stato modificato niente.',
    rate_limited: 'Ci sono state troppe modifiche in poco tempo. Riprova tra qualche minuto.',
    unreadable_form: 'Non è stato possibile leggere il modulo. Non è stato modificato niente.',
    unavailable: 'Qualcosa è andato storto da parte nostra. Riprova tra un momento.',
    back: 'Torna alla tua pagina',
  },
  privacy:
    'Questa pagina è solo per te: una persona che ne conosce l’indirizzo può vedere e modificare ciò che vedi qui.',
}
