from hypothesis import settings

# A machine that is busy with something else takes its time; that is no fault of the code.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
