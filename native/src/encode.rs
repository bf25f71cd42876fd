//! MessagePack as msgspec writes it: every number and length in its shortest form.

pub struct Encoder {
    out: Vec<u8>,
}

impl Encoder {
    pub fn new(capacity: usize) -> Self {
        Encoder { out: Vec::with_capacity(capacity) }
    }

    pub fn finish(self) -> Vec<u8> {
        self.out
    }

    pub fn nil(&mut self) {
        self.out.push(0xc0);
    }

    pub fn bool(&mut self, value: bool) {
        self.out.push(if value { 0xc3 } else { 0xc2 });
    }

    pub fn int(&mut self, value: i64) {
        match value {
            0..=0x7f => self.out.push(value as u8),
            0x80..=0xff => self.out.extend([0xcc, value as u8]),
            0x100..=0xffff => self.tagged(0xcd, &(value as u16).to_be_bytes()),
            0x1_0000..=0xffff_ffff => self.tagged(0xce, &(value as u32).to_be_bytes()),
            0x1_0000_0000.. => self.tagged(0xcf, &(value as u64).to_be_bytes()),
            -32..=-1 => self.out.push(value as i8 as u8),
            -128..=-33 => self.out.extend([0xd0, value as i8 as u8]),
            -0x8000..=-129 => self.tagged(0xd1, &(value as i16).to_be_bytes()),
            -0x8000_0000..=-0x8001 => self.tagged(0xd2, &(value as i32).to_be_bytes()),
            _ => self.tagged(0xd3, &value.to_be_bytes()),
        }
    }

    fn tagged(&mut self, tag: u8, bytes: &[u8]) {
        self.out.push(tag);
        self.out.extend_from_slice(bytes);
    }

    pub fn array(&mut self, length: usize) {
        match length {
            0..=15 => self.out.push(0x90 | length as u8),
            16..=0xffff => self.tagged(0xdc, &(length as u16).to_be_bytes()),
            _ => self.tagged(0xdd, &(length as u32).to_be_bytes()),
        }
    }

    pub fn text(&mut self, text: &str) {
        match text.len() {
            length @ 0..=31 => self.out.push(0xa0 | length as u8),
            length @ 32..=0xff => self.out.extend([0xd9, length as u8]),
            length @ 0x100..=0xffff => self.tagged(0xda, &(length as u16).to_be_bytes()),
            length => self.tagged(0xdb, &(length as u32).to_be_bytes()),
        }
        self.out.extend_from_slice(text.as_bytes());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        match bytes.len() {
            length @ 0..=0xff => self.out.extend([0xc4, length as u8]),
            length @ 0x100..=0xffff => self.tagged(0xc5, &(length as u16).to_be_bytes()),
            length => self.tagged(0xc6, &(length as u32).to_be_bytes()),
        }
        self.out.extend_from_slice(bytes);
    }

    pub fn texts<T: AsRef<str>>(&mut self, texts: impl ExactSizeIterator<Item = T>) {
        self.array(texts.len());
        for text in texts {
            self.text(text.as_ref());
        }
    }
}
