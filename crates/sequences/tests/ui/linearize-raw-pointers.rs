use smallscope::sequences::Linearize;

#[derive(Linearize)]
struct Unvouched {
    next: Option<std::ptr::NonNull<Unvouched>>,
}

#[derive(Linearize)]
#[linearize(unsafe(raw_pointers))]
struct Hidden {
    nested: (u8, Option<*mut Hidden>),
}

#[derive(Linearize)]
struct OnAField {
    #[linearize(unsafe(raw_pointers))]
    next: *mut OnAField,
}

#[derive(Linearize)]
#[linearize(unsafe(pointers))]
struct Misspelt {
    next: *mut Misspelt,
}

fn main() {}
