//! Numbers and strings as bytes. Numbers are little-endian.

/// The bytes that are not read yet. Every method returns `None` when they end too early.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads a number of bytes, and the bytes.
    pub(crate) fn counted(&mut self) -> Option<&'a [u8]> {
        let len = self.u32()?;
        self.take(len as usize)
    }

    /// Reads a string; `None` also when it is not UTF-8.
    pub(crate) fn string(&mut self) -> Option<String> {
        std::str::from_utf8(self.counted()?).ok().map(str::to_owned)
    }

    /// Reads a number of choices, and the choices.
    pub(crate) fn path(&mut self) -> Option<Vec<u32>> {
        let len = self.u32()?;
        let choices = self.take((len as usize).checked_mul(4)?)?;
        let choice = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        Some(choices.chunks_exact(4).map(choice).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Writes values. The lengths were checked before: they fit into 32 bits.
pub(crate) trait Put {
    fn put_u32(&mut self, number: u32);
    fn put_u64(&mut self, number: u64);
    fn put_counted(&mut self, bytes: &[u8]);
    fn put_path(&mut self, path: &[u32]);
}

impl Put for Vec<u8> {
    fn put_u32(&mut self, number: u32) {
        self.extend_from_slice(&number.to_le_bytes());
    }

    fn put_u64(&mut self, number: u64) {
        self.extend_from_slice(&number.to_le_bytes());
    }

    fn put_counted(&mut self, bytes: &[u8]) {
        self.put_u32(bytes.len() as u32);
        self.extend_from_slice(bytes);
    }

    fn put_path(&mut self, path: &[u32]) {
        self.put_u32(path.len() as u32);
        path.iter().for_each(|&choice| self.put_u32(choice));
    }
}
